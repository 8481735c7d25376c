/** Headers of a request; the names are in lower case, as Node provides them. */
export type SourceHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface SignedRequest {
  readonly headers: SourceHeaders;
  readonly rawBody: Buffer;
  /** One of the flow's signing secrets, which are tried one after the other. */
  readonly secret: string;
  readonly now: Date;
}

/** Facts that a source sends about an event. */
export interface SourceEvent {
  /**
   * All names that `event_types` may use for the event, beginning with the source's own name; empty if the request
   * contains none.
   */
  readonly names: readonly string[];
  readonly action?: string | undefined;
  readonly deliveryId?: string | undefined;
  /**
   * Key that is identical for the same event, however often it is sent; undefined if each request is a separate event.
   */
  readonly repeatKey?: string | undefined;
  /**
   * Why the request starts no run, if it is not an event but, for example, a ping, a challenge or the confirmation of a
   * subscription.
   */
  readonly handshake?: string | undefined;
  /** The body of the 200 response that the source expects. */
  readonly answer?: Readonly<Record<string, string>> | undefined;
}

export interface ReadEventInput {
  readonly headers: SourceHeaders;
  readonly payload: Readonly<Record<string, unknown>>;
  /** SHA-256 of the body in hex, for sources that may use one id for several events. */
  readonly bodyDigest: string;
}

export interface WrapInput {
  readonly value: unknown;
  readonly headers: SourceHeaders;
  /** Parses a JSON string within JSON; returns undefined if it is invalid or nested too deeply. */
  readonly parse: (text: string) => unknown;
}

/** Describes the webhooks of one source. */
export interface WebhookSource {
  /**
   * Accepted media types in addition to JSON. The payload of a form is the JSON in its field `payload` or, without this
   * field, an object of all its fields.
   */
  readonly mediaTypes: readonly string[];
  /** Names of headers that are passed to the run, in lower case. */
  readonly headers: readonly string[];
  /** Set to `nothing` for a sender without signatures. */
  readonly signs?: 'nothing';
  /**
   * Returns whether the request has a valid signature or token and, for sources whose signed timestamp is checked, a
   * recent timestamp.
   */
  readonly verify: (request: SignedRequest) => boolean;
  readonly readEvent: (input: ReadEventInput) => SourceEvent;
  /** Returns the payload of the run; if a source has no such function, the payload is the unchanged body. */
  readonly wrap?: (input: WrapInput) => unknown;
}
