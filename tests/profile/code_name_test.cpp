#include "profile/sampling/code_name.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace schedbench::profile::code_name_test {

namespace {

struct Example {
  std::string_view demangled;
  std::string_view shortened;
};

// As printed by c++filt.
const std::vector<Example> kExamples = {
    {"main", "main"},
    {"schedbench::fibers::Fiber::Run()", "schedbench::fibers::Fiber::Run"},
    {"void f<int>(int)", "f<int>"},
    {"unsigned long a::max<unsigned long, 3ul>(unsigned long) const", "a::max<unsigned long, 3ul>"},
    {"std::pair<int, char> const& a::b<std::vector<int> >()", "a::b<std::vector<int> >"},
    {"(anonymous namespace)::f(int)", "{anonymous}::f"},
    {"a::(anonymous namespace)::C<(anonymous namespace)::D>::g() volatile",
     "a::{anonymous}::C<{anonymous}::D>::g"},
    {"work(double)::{lambda(int)#1}::operator()(int) const", "work::{lambda#1}"},
    {"main::{lambda()#2}::operator()() const::{lambda(auto:1)#1}::operator()<int>(int) const",
     "main::{lambda#2}::{lambda#1}"},
    {"auto f(int)::{lambda(auto:1)#1}::operator()<int>(int) const [clone .isra.0]",
     "f::{lambda#1}"},
    {"C::operator()(int) const &", "C::operator_call"},
    {"C::operator->() const", "C::operator_arrow"},
    {"C::operator->*(int)", "C::operator_arrow_star"},
    {"C::operator bool() const", "C::operator bool"},
    {"C::operator std::vector<int>() &&", "C::operator std::vector<int>"},
    {"operator new(unsigned long)", "operator new"},
    {"operator delete[](void*, unsigned long)", "operator delete[]"},
    {"bool operator< <int>(C<int> const&, C<int> const&)", "operator< <int>"},
    {"std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)",
     "std::operator<< <std::char_traits<char> >"},
    {"C::operator<=>(C const&) const", "C::operator<=>"},
    {"operator\"\" _km(long double)", "operator\"\" _km"},
    {"my_operator(int)", "my_operator"},
    {"operators::f()", "operators::f"},
    {"std::function<void (int)>::operator()(int) const",
     "std::function<void [int]>::operator_call"},
    {"std::_Function_handler<void (), work(double)::{lambda()#1}>::_M_invoke(std::_Any_data "
     "const&)",
     "std::_Function_handler<void [], work[double]::{lambda#1}>::_M_invoke"},
    {"decltype(auto) a::f<int>(int&&)", "a::f<int>"},
    {"decltype (f(1)) a::g<int>(int)", "a::g<int>"},
    {"non-virtual thunk to a::C::f()", "a::C::f"},
    {"a::f(int) [clone .cold]", "a::f"},
    {"a::f[abi:cxx11](int)", "a::f[abi:cxx11]"},
    {"a::f() const noexcept", "a::f"},
    {"f(int)::g(char)::h()", "f::g::h"},
    {"a::C::~C()", "a::C::~C"},
    {"_Z3foov", "_Z3foov"},
    {"__memmove_avx512_unaligned_erms", "__memmove_avx512_unaligned_erms"},
    {"[unknown]", "[unknown]"},
    {"", ""},
};

TEST(ShortName, KeepsScopeAndTemplateArgumentsOnly) {
  for (const Example& example : kExamples) {
    EXPECT_EQ(ShortName(example.demangled), example.shortened) << example.demangled;
  }
}

TEST(ShortName, HasNoParenthesisAndNoArrowWhateverTheText) {
  const std::vector<std::string_view> odd = {"void (*f())(int)",
                                             "(",
                                             ")",
                                             "((",
                                             "a(",
                                             "a)b",
                                             "<(>",
                                             "a<b(c",
                                             "{lambda(",
                                             "x->y",
                                             "<->",
                                             "operator",
                                             "operator(",
                                             "operator->",
                                             "a::operator",
                                             "{",
                                             "}::operator()",
                                             "f(int) -> g",
                                             " ",
                                             "decltype(",
                                             ">(<"};
  for (const std::string_view text : odd) {
    const std::string name = ShortName(text);
    EXPECT_EQ(name.find_first_of("()"), std::string::npos) << text << " -> " << name;
    EXPECT_EQ(name.find("->"), std::string::npos) << text << " -> " << name;
  }
}

TEST(ShortName, OfAFunctionThatReturnsAFunctionIsNotEmpty) {
  EXPECT_EQ(ShortName("void (*f())(int)"), "void [*f[]][int]");
}

TEST(FrameLabel, HasNoTemplateArgumentsAndNoNamespaceOfOurs) {
  const std::vector<Example> examples{
      {"schedbench::fibers::Go<schedbench::workloads::{anonymous}::P::Run[int&]::{lambda#1}>::"
       "FiberOf::Body",
       "fibers::Go::FiberOf::Body"},
      {"schedbench::Atomic<int, std::less<int> >::Load", "Atomic::Load"},
      {"{anonymous}::f", "f"},
      {"work::{lambda#1}", "work::{lambda#1}"},
      {"fiber:pingpong.cpp:66", "fiber:pingpong.cpp:66"},
      {"operator< <int>", "operator<"},
      {"std::operator<< <std::char_traits<char> >", "std::operator<<"},
      {"C<int>::operator<=>", "C::operator<=>"},
      {"f<decltype[a=>b]>::g", "f::g"},
      {"my_operator<int>", "my_operator"},
      {"C::operator std::vector<int>", "C::operator std::vector"},
      // Not of C++, or cut.
      {"<alloc::Vec<T> as Clone>::clone", "<alloc::Vec<T> as Clone>::clone"},
      {"f<int", "f<int"},
      {"a > b", "a > b"},
      {"schedbench::", "schedbench::"},
      {"", ""},
  };
  for (const Example& example : examples) {
    EXPECT_EQ(FrameLabel(example.demangled), example.shortened);
  }
}

}  // namespace

}  // namespace schedbench::profile::code_name_test
