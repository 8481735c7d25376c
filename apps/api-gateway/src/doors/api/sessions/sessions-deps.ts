import type { Clock } from '@steward/async';
import type { AnyDatabase, HintPublisher } from '@steward/database';
import type { SessionWriteSettings } from '@steward/slice-sessions';
import type { ContentRenderer } from '../../../content-rendering/content-renderer.ts';

/** What sessions and their content are served from. */
export interface SessionsDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly settings: SessionWriteSettings;
  readonly clock: Clock;
  /** The module's own. */
  readonly contentRenderer: ContentRenderer;
}
