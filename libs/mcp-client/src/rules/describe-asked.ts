/** Readable names of what servers request from their clients. */
const WORDS: Readonly<Record<string, string>> = {
  'elicitation/create': 'questions to people (elicitation)',
  'sampling/createMessage': 'answers of a model (sampling)',
  'roots/list': 'folders of the client (roots)',
};

/** The message for the server that asks, and for the agent whose call it asked in: it does not contain the question. */
export function describeAsked(server: string, methods: readonly string[]): string {
  const what = methods.map((method) => WORDS[method] ?? method).join(', ') || 'more';
  return `The tool server ${server} asks its client for ${what}, which this service does not pass on. Give what it needs as arguments, or ask people with ask_operator.`;
}
