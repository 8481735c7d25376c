import type { Clock } from '@steward/async';
import type { AnyDatabase, HintPublisher } from '@steward/database';
import type { SessionWriteOptions } from '@steward/slice-sessions';
import type { LinkSettings } from '../session-link.ts';
import type { ContentRenderer } from '../../../content-rendering/content-renderer.ts';

/** What sessions and their content are served from. */
export interface SessionsDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly options: SessionWriteOptions;
  readonly clock: Clock;
  readonly settings: LinkSettings;
  /** One for all doors of the process. */
  readonly contentRenderer: ContentRenderer;
}

/** What routes that change sessions are served from. */
export type SessionWriteDeps = Pick<SessionsDeps, 'db' | 'broker' | 'options' | 'clock' | 'settings'>;
