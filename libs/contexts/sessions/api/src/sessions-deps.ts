import type { Clock } from '@steward/async';
import type { AnyDatabase, HintPublisher } from '@steward/database';
import type { SessionWriteOptions, ContentObjects, ContentRenderer } from '@steward/sessions';
import type { LinkSettings } from '@steward/api';

/** Dependencies of the session routes. */
export interface SessionsDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly options: SessionWriteOptions;
  readonly clock: Clock;
  readonly settings: LinkSettings;
  /** Renderer of content; one instance for all surfaces of the process. */
  readonly contentRenderer: ContentRenderer;
  /** Object store with large bodies of content; undefined if the deployment has none. */
  readonly contentObjects: ContentObjects | undefined;
}

/** Dependencies of the routes that change sessions. */
export type SessionWriteDeps = Pick<SessionsDeps, 'db' | 'broker' | 'options' | 'clock' | 'settings'>;
