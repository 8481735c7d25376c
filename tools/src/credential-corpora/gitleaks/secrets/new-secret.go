// Stands in for the generator of gitleaks: with a fixed seed, so that the samples are the same each time.
package secrets

import (
	"math/rand"
	"regexp/syntax"
	"strings"
	"unicode"
)

var random = rand.New(rand.NewSource(1))

// NewSecret draws a text that the expression matches.
func NewSecret(expression string) string {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		panic(err)
	}
	var text strings.Builder
	write(&text, parsed)
	return text.String()
}

func write(text *strings.Builder, node *syntax.Regexp) {
	switch node.Op {
	case syntax.OpLiteral:
		for _, letter := range node.Rune {
			if node.Flags&syntax.FoldCase != 0 && random.Intn(2) == 0 {
				letter = unicode.ToLower(letter)
			}
			text.WriteRune(letter)
		}
	case syntax.OpCharClass:
		text.WriteRune(pick(node.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		text.WriteRune(rune('!' + random.Intn('~'-'!'+1)))
	case syntax.OpStar:
		repeat(text, node.Sub[0], 0, -1)
	case syntax.OpPlus:
		repeat(text, node.Sub[0], 1, -1)
	case syntax.OpQuest:
		repeat(text, node.Sub[0], 0, 1)
	case syntax.OpRepeat:
		repeat(text, node.Sub[0], node.Min, node.Max)
	case syntax.OpAlternate:
		write(text, node.Sub[random.Intn(len(node.Sub))])
	case syntax.OpConcat, syntax.OpCapture:
		for _, part := range node.Sub {
			write(text, part)
		}
	}
}

func repeat(text *strings.Builder, node *syntax.Regexp, least int, most int) {
	if most < 0 || most > least+8 {
		most = least + 8
	}
	for count := least + random.Intn(most-least+1); count > 0; count-- {
		write(text, node)
	}
}

// Of printable characters alone.
func pick(ranges []rune) rune {
	var letters []rune
	for index := 0; index < len(ranges); index += 2 {
		for letter := ranges[index]; letter <= ranges[index+1] && letter < 127; letter++ {
			if letter >= 32 {
				letters = append(letters, letter)
			}
		}
	}
	if len(letters) == 0 {
		return ranges[0]
	}
	return letters[random.Intn(len(letters))]
}
