// Stands in for the regexp package of gitleaks.
package regexp

import re "regexp"

type Regexp = re.Regexp

func MustCompile(text string) *re.Regexp { return re.MustCompile(text) }
