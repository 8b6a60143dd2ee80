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

}  // namespace schedbench::profile
