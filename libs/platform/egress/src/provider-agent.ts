import { Agent, type Dispatcher } from 'undici';

/** Client that drops the raw head of a response as soon as it is parsed. */
export class ProviderAgent extends Agent {
  override dispatch(options: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return super.dispatch(options, new HeadDropper(handler));
  }
}

/**
 * Passes everything on. The client keeps the raw head until the end of the response, as two pieces of the received
 * chunk for each header; these pieces keep the whole chunk in memory: 3 KB for each open stream. Nothing reads the raw
 * head later.
 */
class HeadDropper implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler;
  }

  onRequestStart(...given: Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestStart']>>): void {
    this.#handler.onRequestStart?.(...given);
  }

  onRequestUpgrade(...given: Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestUpgrade']>>): void {
    this.#handler.onRequestUpgrade?.(...given);
  }

  onBodySent(chunk: Buffer): void {
    this.#handler.onBodySent?.(chunk);
  }

  onRequestSent(): void {
    this.#handler.onRequestSent?.();
  }

  onResponseStarted(): void {
    this.#handler.onResponseStarted?.();
  }

  onResponseStart(...given: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>): void {
    this.#handler.onResponseStart?.(...given);
    // The handler of `fetch` reads the raw head.
    const [controller] = given;
    controller.rawHeaders = null;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(...given: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>): void {
    this.#handler.onResponseEnd?.(...given);
  }

  onResponseError(...given: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseError']>>): void {
    this.#handler.onResponseError?.(...given);
  }
}
