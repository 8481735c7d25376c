/** Readable names of the methods that servers request from their clients. */
const WORDS: Readonly<Record<string, string>> = {
  'elicitation/create': 'questions to people (elicitation)',
  'sampling/createMessage': 'responses from a model (sampling)',
  'roots/list': 'folders of the client (roots)',
};

/**
 * Returns the error message for a tool server that sends requests to its client, and for the agent during whose call
 * they were sent. The message names the methods of the requests, but contains none of their parameters.
 */
export function describeAsked(server: string, methods: readonly string[]): string {
  const what = methods.map((method) => WORDS[method] ?? method).join(', ') || 'more';
  return `The tool server ${server} asks its client for ${what}, which this service does not forward. Pass the required information as arguments, or ask people with ask_operator.`;
}
