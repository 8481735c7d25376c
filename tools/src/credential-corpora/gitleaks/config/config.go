// Stands in for the config package of gitleaks: the fields its rules set, without what reads them.
package config

import (
	"regexp"
	"strings"
)

type AllowlistMatchCondition int

const (
	AllowlistMatchOr AllowlistMatchCondition = iota
	AllowlistMatchAnd
)

type Allowlist struct {
	Description              string
	MatchCondition           AllowlistMatchCondition
	Commits, StopWords       []string
	Paths, Regexes           []*regexp.Regexp
	RegexTarget              string
}

type Required struct {
	RuleID                     string
	WithinLines, WithinColumns *int
}

type Rule struct {
	RuleID, Description string
	Entropy             float64
	SecretGroup         int
	Regex, Path         *regexp.Regexp
	Tags, Keywords      []string
	Allowlists          []*Allowlist
	RequiredRules       []*Required
	SkipReport          bool
}

func (list *Allowlist) ContainsStopWord(text string) (bool, string) {
	for _, word := range list.StopWords {
		if strings.Contains(strings.ToLower(text), strings.ToLower(word)) {
			return true, word
		}
	}
	return false, ""
}
