package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
)

// A field of a config, or a parameter of a workload: a whole number, any number or one of several names.
type field struct {
	name        string
	fallback    uint64
	least, most uint64

	real bool // any number: it, its fallback and its limits are the bits of a float64

	choices []string // not empty: the field is one of these names, and `fallback` is an index
	can     []string // the choices that this runtime supports; none: all
}

func number(name string, fallback, least, most uint64) field {
	return field{name: name, fallback: fallback, least: least, most: most}
}

func real(name string, fallback, least, most float64) field {
	f := number(name, math.Float64bits(fallback), math.Float64bits(least), math.Float64bits(most))
	f.real = true
	return f
}

// describe returns the values that the field takes.
func (f field) describe() string {
	if len(f.choices) > 0 {
		return fmt.Sprintf("%s; the default is %s", strings.Join(f.choices, " or "), f.choices[f.fallback])
	}
	return fmt.Sprintf("a whole number from %d to %d; the default is %d", f.least, f.most, f.fallback)
}

// Settings in the order of their fields.
type settings struct {
	fields []field
	values []uint64 // a name is stored as its index
}

func (s settings) number(name string) uint64 {
	for i, f := range s.fields {
		if f.name == name {
			return s.values[i]
		}
	}
	panic("no field " + name)
}

func (s settings) real(name string) float64 {
	return math.Float64frombits(s.number(name))
}

func (s settings) choice(name string) string {
	for _, f := range s.fields {
		if f.name == name {
			return f.choices[s.number(name)]
		}
	}
	panic("no field " + name)
}

func (s settings) set(name string, value uint64) {
	for i, f := range s.fields {
		if f.name == name {
			s.values[i] = value
		}
	}
}

func (s settings) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	for i, f := range s.fields {
		separator := ","
		if i == 0 {
			separator = "{"
		}
		if len(f.choices) > 0 {
			fmt.Fprintf(&out, "%s%q:%q", separator, f.name, f.choices[s.values[i]])
		} else if f.real {
			value := math.Float64frombits(s.values[i])
			fmt.Fprintf(&out, "%s%q:%s", separator, f.name, strconv.FormatFloat(value, 'f', -1, 64))
		} else {
			fmt.Fprintf(&out, "%s%q:%d", separator, f.name, s.values[i])
		}
	}
	out.WriteString("}")
	return out.Bytes(), nil
}

// settingsOf applies an object to the defaults of the fields. `where` names it in messages.
func settingsOf(fields []field, object map[string]json.RawMessage, where string) (settings, *refusal) {
	result := settings{fields: fields, values: make([]uint64, len(fields))}
	var problems []string
	var names []string
	known := map[string]bool{}
	for i, f := range fields {
		names = append(names, f.name)
		known[f.name] = true
		result.values[i] = f.fallback
		if text, there := object[f.name]; there {
			value, wrong := f.parse(text)
			if wrong != "" {
				problems = append(problems, fmt.Sprintf("%s /%s: %s", where, f.name, wrong))
			}
			result.values[i] = value
		} else if len(f.choices) > 0 {
			if wrong := f.cannot(f.choices[f.fallback]); wrong != "" {
				problems = append(problems, fmt.Sprintf("%s /%s: by default, %s", where, f.name, wrong))
			}
		}
	}
	var unknown []string
	for name := range object {
		if !known[name] {
			unknown = append(unknown,
				fmt.Sprintf("%s /%s: unknown field; expected one of %s", where, name, strings.Join(names, ", ")))
		}
	}
	sort.Strings(unknown)
	problems = append(problems, unknown...)
	if len(problems) > 0 {
		return result, &refusal{kind: kindInput, message: problems[0], details: problems}
	}
	return result, nil
}

// parse returns what is wrong with the text, or "".
func (f field) parse(text json.RawMessage) (value uint64, wrong string) {
	shown := fmt.Sprintf("%.100s", text)
	if f.real {
		value, err := strconv.ParseFloat(string(text), 64)
		least, most := math.Float64frombits(f.least), math.Float64frombits(f.most)
		if err != nil {
			return 0, fmt.Sprintf("%s is not a number; expected %g..%g", shown, least, most)
		}
		if value < least || value > most {
			return 0, fmt.Sprintf("%s is outside %g..%g", shown, least, most)
		}
		return math.Float64bits(value), ""
	}
	if len(f.choices) == 0 {
		value, err := strconv.ParseUint(string(text), 10, 64)
		if err != nil {
			return 0, fmt.Sprintf("%s is not a plain whole number; expected %d..%d", shown, f.least, f.most)
		}
		if value < f.least || value > f.most {
			return 0, fmt.Sprintf("%s is outside %d..%d", shown, f.least, f.most)
		}
		return value, ""
	}
	name := ""
	if text[0] == '"' && json.Unmarshal(text, &name) == nil {
		for i, choice := range f.choices {
			if choice == name {
				return uint64(i), f.cannot(name)
			}
		}
	}
	return 0, fmt.Sprintf("%s is not one of %s", shown, strings.Join(f.choices, "|"))
}

func (f field) cannot(name string) string {
	for _, can := range f.can {
		if can == name {
			return ""
		}
	}
	if len(f.can) == 0 {
		return ""
	}
	return fmt.Sprintf("the Go runtime does not support \"%s\", only %s", name, strings.Join(f.can, "|"))
}
