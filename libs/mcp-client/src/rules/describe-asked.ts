/** What servers ask their clients for, as people say it. */
const WORDS: Readonly<Record<string, string>> = {
  'elicitation/create': 'questions to people (elicitation)',
  'sampling/createMessage': 'answers of a model (sampling)',
  'roots/list': 'folders of the client (roots)',
};

/** Told the server that asks, and the agent whose call it asked in: nothing of what it wanted to know. */
export function describeAsked(server: string, methods: readonly string[]): string {
  const what = methods.map((method) => WORDS[method] ?? method).join(', ') || 'more';
  return `The tool server ${server} asks its client for ${what}, which this service does not pass on. Give what it needs as arguments, or ask people with ask_operator.`;
}
