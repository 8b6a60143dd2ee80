#pragma once

#include <string>
#include <string_view>

namespace schedbench::profile {

// Returns the demangled name of a function without its return type, parameters, qualifiers, thunks
// and parts that the compiler split off, which make a flame graph hard to read. Scope and template
// arguments remain.
//   void f<int>(int)                             f<int>
//   (anonymous namespace)::C::g() const          {anonymous}::C::g
//   work(double)::{lambda(int)#1}::operator()()  work::{lambda#1}
//   C::operator()(int), C::operator->()          C::operator_call, C::operator_arrow
//   std::function<void (int)>::swap(...)         std::function<void [int]>::swap
// The result never has a parenthesis or "->"; a name of C is unchanged. Pure; thread-safe.
std::string ShortName(std::string_view demangled);

// Returns a short name without its template arguments; unchanged if they are not balanced. Pure;
// thread-safe.
//   a::max<unsigned long, 3ul>                 a::max
//   C::operator< <int>                         C::operator<
std::string WithoutArguments(std::string_view name);

// Returns whether a function of this short name, where it is inlined, only wraps an instruction or
// another function: those of the standard library and of atomics. Pure; thread-safe.
bool IsWrapper(std::string_view name);

// Returns the text of a short name for a narrow bar of a flame graph: without template arguments,
// schedbench's namespace and unnamed ones. Also takes names that are not code. Pure; thread-safe.
//   schedbench::fibers::Go<schedbench::X::{lambda#1}>::FiberOf::Body    fibers::Go::FiberOf::Body
//   {anonymous}::f                                                      f
std::string FrameLabel(std::string_view name);

}  // namespace schedbench::profile
