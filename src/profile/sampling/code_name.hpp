#pragma once

#include <string>
#include <string_view>

namespace schedbench::profile {

// Returns the demangled name of a function without what makes a flame graph hard to read: return type, parameters,
// qualifiers, thunks, parts that the compiler split off. Scope and template arguments stay.
//
//   void f<int>(int)                             f<int>
//   (anonymous namespace)::C::g() const          {anonymous}::C::g
//   work(double)::{lambda(int)#1}::operator()()  work::{lambda#1}
//   C::operator()(int), C::operator->()          C::operator_call, C::operator_arrow
//   std::function<void (int)>::swap(...)         std::function<void [int]>::swap
//
// The result has no parenthesis and no "->", whatever the text; a name of C stays as it is. Pure; thread-safe.
std::string ShortName(std::string_view demangled);

// Returns a short name without its template arguments; as it is where they are not balanced. Pure; thread-safe.
//
//   a::max<unsigned long, 3ul>                 a::max
//   C::operator< <int>                         C::operator<
std::string WithoutArguments(std::string_view name);

// Whether a function only wraps an instruction or another function where it is inlined: those of the standard library and of
// atomics. Of a short name. Pure; thread-safe.
bool IsWrapper(std::string_view name);

// Returns what the narrow bar of a flame graph shows of a short name: no template arguments, no namespace of schedbench or
// without a name. Also takes names that are no code. Pure; thread-safe.
//
//   schedbench::fibers::Go<schedbench::X::{lambda#1}>::FiberOf::Body    fibers::Go::FiberOf::Body
//   {anonymous}::f                                                      f
std::string FrameLabel(std::string_view name);

}  // namespace schedbench::profile
