/** Figures that the provider of this bench sends. */
export interface ProviderFigures {
  readonly calls: number;
  readonly inputs: number;
  /** Time from the first request to the last response, in milliseconds. */
  readonly durationMs: number;
  /** Average number of pending requests over that time. */
  readonly meanInFlight: number;
  readonly maxInFlight: number;
  /** Time of the first request, in milliseconds since 1970. */
  readonly firstAt: number;
}

export type ProviderCommand =
  { readonly kind: 'reset'; readonly delayMs: number; readonly width: number } | { readonly kind: 'report' };

export type ProviderAnswer =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'ready' }
  | { readonly kind: 'report'; readonly figures: ProviderFigures };

export interface RawLoopCommand {
  readonly baseUrl: string;
  readonly concurrency: number;
  readonly batchSize: number;
  readonly chunks: number;
}

export type RawLoopAnswer = { readonly kind: 'done' };

const WORDS =
  'the agent asked for a file and read what the build had to say about it before the test failed again on line'.split(
    ' ',
  );
const WORDS_OF_TEXT = 100;

/** Returns a text of about 550 characters, as a message of an agent has; it is the same for all contenders. */
export function makeText(index: number): string {
  const words = Array.from({ length: WORDS_OF_TEXT }, (_, place) => WORDS[(index * 7 + place * place) % WORDS.length]);
  return `${words.join(' ')} ${index}`;
}
