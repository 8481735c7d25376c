// Stands in for the validator of gitleaks: prints the samples of each rule, one a line, instead of trying them.
package utils

import (
	"encoding/json"
	"fmt"
	"sort"

	"github.com/zricethezav/gitleaks/v8/config"
)

type sample struct {
	Rule   string `json:"rule"`
	Text   string `json:"text"`
	Secret string `json:"secret,omitempty"`
	Path   string `json:"path,omitempty"`
}

func Validate(rule config.Rule, positives []string, negatives []string) *config.Rule {
	sort.Strings(positives)
	for _, text := range positives {
		print(sample{rule.RuleID, text, findSecret(rule, text), ""})
	}
	sort.Strings(negatives)
	for _, text := range negatives {
		print(sample{rule.RuleID, text, "", ""})
	}
	return &rule
}

func ValidateWithPaths(rule config.Rule, positives map[string]string, negatives map[string]string) *config.Rule {
	for _, path := range sorted(positives) {
		print(sample{rule.RuleID, positives[path], findSecret(rule, positives[path]), path})
	}
	for _, path := range sorted(negatives) {
		print(sample{rule.RuleID, negatives[path], "", path})
	}
	return &rule
}

func sorted(texts map[string]string) []string {
	var paths []string
	for path := range texts {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	return paths
}

// As the detector does: the group that is named, else the first that matched, else all of it.
func findSecret(rule config.Rule, text string) string {
	if rule.Regex == nil {
		return text
	}
	groups := rule.Regex.FindStringSubmatch(text)
	if groups == nil {
		return "NO MATCH"
	}
	if rule.SecretGroup > 0 {
		return groups[rule.SecretGroup]
	}
	for _, group := range groups[1:] {
		if group != "" {
			return group
		}
	}
	return groups[0]
}

func print(value sample) {
	line, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
}
