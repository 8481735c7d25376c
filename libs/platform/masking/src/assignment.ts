/** Pattern for a string type between a name and its value: `var token string = `, `const TOKEN: &str = `. */
export const TYPE = String.raw`(?::?[ \t]{1,4}(?:&(?:'static )?)?(?:[Ss]tring|str))?`;
/** Pattern for separators between a name and its value: `=`, `:`, `=>`, `:=`, `?=`, `.=`, `||=`, `::=`. */
export const ASSIGNED = String.raw`(?:(?:[.?+|:][ \t]{0,2}){0,3}=[ \t]{0,2}>?|:)`;
