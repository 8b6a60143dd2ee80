# The programs of README files as tests: each block "```cpp" with an "int main() {" is compiled and run, and must print what
# the next block "```output" shows.
#
#   awk -f readme_examples.awk README.md... > readme_examples.cpp

function name_of(file,  parts, count, i, name) {
  count = split(file, parts, /[^A-Za-z0-9]+/)
  for (i = 1; i < count - 1; ++i) {  # without "README" and "md"
    name = name toupper(substr(parts[i], 1, 1)) substr(parts[i], 2)
  }
  return name
}

function test(expected) {
  tests = tests sprintf("TEST(ReadmeExample, %s%s) {\n  testing::internal::CaptureStdout();\n  example_%d::Main();\n" \
                        "  EXPECT_EQ(testing::internal::GetCapturedStdout(), R\"out(%s)out\");\n}\n\n",
                        name_of(file), in_file > 1 ? in_file : "", number, expected)
  pending = 0
}

FNR == 1 {
  in_file = 0
}

/^```cpp$/ {
  kind = "cpp"
  code = sprintf("#line %d \"%s\"\n", FNR + 1, FILENAME)
  is_program = 0
  next
}

/^```output$/ {
  kind = "output"
  output = ""
  next
}

/^```$/ && kind == "cpp" {
  kind = ""
  if (is_program) {
    if (pending) {
      test("")
    }
    pending = 1
    file = FILENAME
    ++in_file
    ++number
    programs = programs sprintf("namespace example_%d {\n%s}\n\n", number, code)
  }
  next
}

/^```$/ && kind == "output" {
  kind = ""
  test(output)
  next
}

kind == "cpp" && /^#include/ {
  if (!($0 in included)) {
    included[$0]
    includes = includes $0 "\n"
  }
  code = code "\n"  # keeps the numbers of lines
  next
}

kind == "cpp" {
  if (sub(/^int main\(\) \{/, "void Main() {")) {
    is_program = 1
  }
  code = code $0 "\n"
}

kind == "output" {
  output = output $0 "\n"
}

END {
  if (pending) {
    test("")
  }
  printf "%s#include <gtest/gtest.h>\n\n%s#line 1 \"readme_examples\"\n%s", includes, programs, tests
}
