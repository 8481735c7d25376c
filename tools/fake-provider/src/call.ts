import type { Behaviour, Usage } from './behaviour.ts';

/** The parts of a request that determine the response; identical for all APIs. */
export interface CallBody {
  readonly model?: string;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly tools?: readonly { readonly name?: string; readonly function?: { readonly name: string } }[];
  readonly messages?: readonly unknown[];
  readonly input?: unknown;
  readonly dimensions?: number;
  readonly encoding_format?: string;
}

/** Output of the model: text, or a tool call. */
export interface Reply {
  readonly model: string;
  readonly pieces: readonly string[];
  readonly tool: string | undefined;
  /** JSON of the tool call's arguments, in pieces. */
  readonly argumentPieces: readonly string[];
  readonly usage: Usage | null;
}

export interface StreamEvent {
  readonly event?: string;
  /** Data of the event. A string is sent as it is; any other value is sent as JSON. */
  readonly data: unknown;
}

/**
 * Writer of the model's output in the format of one API. Ids and times are constants, so that two responses to one
 * request are equal.
 */
export interface ReplyWriter {
  writeUnary(reply: Reply): unknown;
  writeStream(reply: Reply, body: CallBody): Iterable<StreamEvent>;
  writeStreamError(): StreamEvent;
}

/** Text of every response, with characters of two, three and four bytes. */
const TEXT = 'Hello from the provider: příliš žluťoučký kůň, 数学, 🐎 and "quotes"\nover two lines.';
const LARGE_PIECE = 'x'.repeat(16 * 1024);

/** Creates the output. A tool is called only once: after its result, the response is text, as it is without tools. */
export function makeReply(
  body: CallBody,
  bodyBytes: number,
  { text = TEXT, usage, streamBytes, toolArguments }: Behaviour,
): Reply {
  const first = body.tools?.[0];
  const hasResult = /"(?:tool_result|function_call_output)"|"role":"tool"/.test(
    JSON.stringify([body.messages, body.input]),
  );
  const pieces =
    streamBytes === undefined
      ? (text.match(/.{1,7}/gsu) ?? [])
      : Array<string>(Math.ceil(streamBytes / LARGE_PIECE.length)).fill(LARGE_PIECE);
  const counted = { input: Math.ceil(bodyBytes / 4), cachedInput: 2, output: pieces.length };
  return {
    model: body.model ?? 'unknown',
    pieces,
    tool: hasResult ? undefined : (first?.function?.name ?? first?.name),
    argumentPieces: toolArguments === undefined ? ARGUMENT_PIECES : [toolArguments],
    usage: usage === undefined ? counted : usage,
  };
}

/** Pieces of the arguments of every tool call. The number is above 2^53, so parsing and serializing changes it. */
const ARGUMENT_PIECES = ['{"city":"Pra', 'ha","ticket":', '9007199254740993}'] as const;

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** Field unknown to clients, with a number that no client can represent. */
export const UNKNOWN_FIELD = { x_provider: { ticket: rawJSON('9007199254740993'), cost: rawJSON('1.50') } };
export const CREATED_SECONDS = 1_700_000_000;
