/** Header names in lower case, as Node gives them. */
export type SourceHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface SignedRequest {
  readonly headers: SourceHeaders;
  readonly rawBody: Buffer;
  /** One of the flow's signing secrets; with several each is tried. */
  readonly secret: string;
  readonly now: Date;
}

/** What a request of a host says of itself. */
export interface SourceEvent {
  /** Every name by which `event_types` may mean it, the host's own first; empty where the request names none. */
  readonly names: readonly string[];
  readonly action?: string | undefined;
  readonly deliveryId?: string | undefined;
  /** The same for the same event, however often it is sent; undefined: each request is an event. */
  readonly repeatKey?: string | undefined;
  /** Why nothing runs: a ping, a challenge, the confirmation of a subscription. */
  readonly handshake?: string | undefined;
  /** The body of a 200 that the host waits for. */
  readonly answer?: Readonly<Record<string, string>> | undefined;
}

export interface ReadEventInput {
  readonly headers: SourceHeaders;
  readonly payload: Readonly<Record<string, unknown>>;
  /** SHA-256 of the body in hex: for hosts whose ids several events share. */
  readonly bodyDigest: string;
}

export interface WrapInput {
  readonly value: unknown;
  readonly headers: SourceHeaders;
  /** JSON within JSON; undefined for a text that is none, or that is nested too deeply. */
  readonly parse: (text: string) => unknown;
}

/** How one host sends its webhooks. */
export interface WebhookSource {
  /** Besides JSON. A form holds JSON in its field `payload`, or is an object of its fields. */
  readonly mediaTypes: readonly string[];
  /** Headers that the run is told, in lower case. */
  readonly headers: readonly string[];
  /** `nothing` of a sender without signatures. */
  readonly signs?: 'nothing';
  /** False for a signature that is missing, too old or of another body. */
  readonly verify: (request: SignedRequest) => boolean;
  readonly readEvent: (input: ReadEventInput) => SourceEvent;
  /** The payload of a run, where it is not the body as it came. */
  readonly wrap?: (input: WrapInput) => unknown;
}
