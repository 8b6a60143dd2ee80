#include "profile/sampling/call_frame.hpp"

#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

// A part of libgcc that finds the entry of .eh_frame for an address; its header is not installed.
extern "C" {
struct dwarf_eh_bases {  // NOLINT(readability-identifier-naming)
  void* tbase;
  void* dbase;
  void* func;
};
const void* _Unwind_Find_FDE(void* address, dwarf_eh_bases* bases);  // NOLINT
}

namespace schedbench::profile {

namespace {

// The format: DWARF 5, section 6.4, and Linux Standard Base, section "Exception Frames".
constexpr std::uint32_t kLongForm = 0xffffffff;

// Thrown for constructs that compilers do not write for these machines.
struct Unknown {};

// Reads a part of .eh_frame.
class Reader {
 public:
  Reader(const std::uint8_t* begin, const std::uint8_t* end)
      : at_(begin),
        end_(end) {
  }

  bool IsAtEnd() const {
    return at_ >= end_;
  }

  template <typename T>
  T Fixed() {
    T value;
    std::memcpy(&value, Skip(sizeof(T)), sizeof(T));
    return value;
  }

  std::uint64_t Unsigned() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = Fixed<std::uint8_t>();
      value |= std::uint64_t{byte & 0x7fU} << (shift & 63U);
      if ((byte & 0x80U) == 0) {
        return value;
      }
    }
  }

  std::string_view Text() {
    const std::uint8_t* const begin = at_;
    while (Fixed<char>() != 0) {
    }
    return {reinterpret_cast<const char*>(begin), static_cast<std::size_t>(at_ - begin - 1)};
  }

  // Returns the start of the skipped bytes.
  const std::uint8_t* Skip(std::uint64_t bytes) {
    if (bytes > static_cast<std::uint64_t>(end_ - at_)) {
      throw Unknown();
    }
    return std::exchange(at_, at_ + bytes);
  }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

std::uint64_t SizeOfEncoded(std::uint8_t encoding) {
  switch (encoding & 0x0fU) {
    case 0x00:
    case 0x04:
    case 0x0c:
      return 8;
    case 0x02:
    case 0x0a:
      return 2;
    case 0x03:
    case 0x0b:
      return 4;
    default:
      throw Unknown();
  }
}

// Returns an entry of .eh_frame without its length.
Reader EntryAt(const std::uint8_t* entry) {
  std::uint32_t length = 0;
  std::memcpy(&length, entry, sizeof(length));
  if (length == kLongForm) {
    throw Unknown();
  }
  return {entry + sizeof(length), entry + sizeof(length) + length};
}

constexpr std::uint64_t kLinkRegister = 30;  // its number on arm64

// The register from which the frame address follows, and whether the frame has the return address.
struct Rule {
  std::uint64_t reg = 0;
  std::uint64_t offset = 0;
  bool is_known = true;     // false: an expression
  bool saves_link = false;  // arm64: the link register is saved
};

// Returns the words from the stack pointer to the return address; 0 if in arm64's link register.
std::optional<std::size_t> WordsOf(const Rule& rule) {
#if defined(__x86_64__)
  constexpr std::uint64_t kStackPointer = 7;
  constexpr std::uint64_t kWord = sizeof(std::uintptr_t);
  if (rule.is_known && rule.reg == kStackPointer && rule.offset >= kWord &&
      rule.offset % kWord == 0) {
    return static_cast<std::size_t>(rule.offset / kWord - 1);
  }
#elif defined(__aarch64__)
  if (!rule.saves_link) {
    return 0;
  }
#endif
  return std::nullopt;
}

// Executes instructions of call frame information up to an address.
class Interpreter {
 public:
  Interpreter(std::uint64_t code_alignment, std::uintptr_t begin, std::uintptr_t address)
      : code_alignment_(code_alignment),
        at_(begin),
        address_(address) {
  }

  void Run(Reader instructions) {
    while (!instructions.IsAtEnd() && at_ <= address_) {
      Step(instructions);
    }
  }

  const Rule& Result() const {
    return rule_;
  }

 private:
  // Rows begin at growing addresses; the last one up to `address_` is valid.
  void Advance(std::uint64_t delta) {
    at_ += delta * code_alignment_;
  }

  void Step(Reader& reader) {
    const auto code = reader.Fixed<std::uint8_t>();
    switch (code & 0xc0U) {
      case 0x40:  // DW_CFA_advance_loc
        return Advance(code & 0x3fU);
      case 0x80:  // DW_CFA_offset
        reader.Unsigned();
        return Save(code & 0x3fU, true);
      case 0xc0:  // DW_CFA_restore
        return Save(code & 0x3fU, false);
      default:
        return StepExtended(code, reader);
    }
  }

  void Save(std::uint64_t reg, bool is_saved) {
    if (reg == kLinkRegister) {
      rule_.saves_link = is_saved;
    }
  }

  void StepExtended(std::uint8_t code, Reader& reader) {
    switch (code) {
      case 0x00:  // DW_CFA_nop
        return;
      case 0x02:  // DW_CFA_advance_loc1, 2, 4
        return Advance(reader.Fixed<std::uint8_t>());
      case 0x03:
        return Advance(reader.Fixed<std::uint16_t>());
      case 0x04:
        return Advance(reader.Fixed<std::uint32_t>());
      case 0x05:  // DW_CFA_offset_extended, register, offset_extended_sf, val_offset, val_offset_sf
      case 0x09:
      case 0x11:
      case 0x14:
      case 0x15:
        Save(reader.Unsigned(), true);
        reader.Unsigned();
        return;
      case 0x07:  // DW_CFA_undefined: the end of the stack
        Save(reader.Unsigned(), true);
        return;
      case 0x06:  // DW_CFA_restore_extended, same_value
      case 0x08:
        Save(reader.Unsigned(), false);
        return;
      case 0x2d:  // DW_CFA_AARCH64_negate_ra_state
        return;
      case 0x2e:  // DW_CFA_GNU_args_size
        reader.Unsigned();
        return;
      case 0x0a:  // DW_CFA_remember_state
        remembered_.push_back(rule_);
        return;
      case 0x0b:  // DW_CFA_restore_state
        if (remembered_.empty()) {
          throw Unknown();
        }
        rule_ = remembered_.back();
        remembered_.pop_back();
        return;
      case 0x0c:  // DW_CFA_def_cfa
        rule_.reg = reader.Unsigned();
        rule_.is_known = true;
        rule_.offset = reader.Unsigned();
        return;
      case 0x0d:  // DW_CFA_def_cfa_register
        rule_.reg = reader.Unsigned();
        return;
      case 0x0e:  // DW_CFA_def_cfa_offset
        rule_.offset = reader.Unsigned();
        return;
      case 0x0f:  // DW_CFA_def_cfa_expression
        reader.Skip(reader.Unsigned());
        rule_.is_known = false;
        return;
      case 0x10:  // DW_CFA_expression, val_expression
      case 0x16:
        reader.Unsigned();
        reader.Skip(reader.Unsigned());
        return;
      default:
        throw Unknown();
    }
  }

  const std::uint64_t code_alignment_;
  std::uintptr_t at_;
  const std::uintptr_t address_;
  Rule rule_;
  std::vector<Rule> remembered_;
};

Rule RuleAt(const std::uint8_t* fde, std::uintptr_t begin, std::uintptr_t address) {
  Reader entry = EntryAt(fde);
  const std::uint8_t* const pointer = fde + sizeof(std::uint32_t);
  Reader common = EntryAt(pointer - entry.Fixed<std::uint32_t>());
  common.Skip(sizeof(std::uint32_t));  // its id
  const auto version = common.Fixed<std::uint8_t>();
  const std::string_view augmentation = common.Text();
  if (version > 3 || !augmentation.starts_with('z')) {
    throw Unknown();
  }
  const std::uint64_t code_alignment = common.Unsigned();
  common.Unsigned();  // the alignment of data
  common.Unsigned();  // the register of the return address
  const std::uint64_t bytes = common.Unsigned();
  const std::uint8_t* const data = common.Skip(bytes);
  Reader augmented(data, data + bytes);
  std::uint8_t encoding = 0;
  for (const char letter : augmentation.substr(1)) {
    if (letter == 'R') {
      encoding = augmented.Fixed<std::uint8_t>();
    } else if (letter == 'L') {
      augmented.Fixed<std::uint8_t>();
    } else if (letter == 'P') {
      augmented.Skip(SizeOfEncoded(augmented.Fixed<std::uint8_t>()));
    } else if (letter != 'S') {
      throw Unknown();
    }
  }
  entry.Skip(2 * SizeOfEncoded(encoding));  // the start of the function, and its length
  entry.Skip(entry.Unsigned());
  Interpreter interpreter(code_alignment, begin, address);
  interpreter.Run(common);
  interpreter.Run(entry);
  return interpreter.Result();
}

std::optional<std::size_t> Find(std::uintptr_t address) {
  dwarf_eh_bases bases{};
  const auto* const fde =
      static_cast<const std::uint8_t*>(_Unwind_Find_FDE(reinterpret_cast<void*>(address), &bases));
  if (fde == nullptr) {
    return std::nullopt;
  }
  try {
    return WordsOf(RuleAt(fde, reinterpret_cast<std::uintptr_t>(bases.func), address));
  } catch (const Unknown&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<std::size_t> CallFrames::WordsBelowReturnAddress(std::uintptr_t address) {
  const auto [known, is_new] = known_.try_emplace(address);
  if (is_new) {
    known->second = Find(address);
  }
  return known->second;
}

}  // namespace schedbench::profile
