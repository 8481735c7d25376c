import { useQuery } from '@tanstack/react-query';
import type { EmbeddingSetting } from '../../api/answers.ts';
import { embeddingQuery } from '../../queries/embedding.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { EmbeddingForm } from './embedding-form.tsx';
import { formatUsd } from '../../ui/format-usd.ts';
import styles from './settings.module.css';

/** Embedding settings and progress, shown on a separate page and in a panel next to the search. */
export function Embedding({ onSaved }: { readonly onSaved?: () => void }) {
  const query = useQuery(embeddingQuery());
  return (
    <Loaded what="the setting" query={query}>
      {(setting) => (
        <div className={styles['part']}>
          {!setting.deployment_embedding_enabled && (
            <Notice tone="warn">
              Embedding is disabled in this deployment; the settings take effect once it is enabled.
            </Notice>
          )}
          <EmbeddingForm setting={setting} onSaved={onSaved} />
          <Progress setting={setting} />
        </div>
      )}
    </Loaded>
  );
}

function Progress({ setting }: { readonly setting: EmbeddingSetting }) {
  const { corpus, degraded_reason: reason, spent_today_usd: spent } = setting;
  const cap = setting.daily_cap_usd ?? setting.deployment_daily_cap_usd;
  return (
    <section className={styles['part']} aria-label="Progress">
      <h2>Progress</h2>
      <progress aria-label="Embedded" value={corpus.embedded} max={Math.max(1, corpus.eligible)} />
      <p>
        Embedded chunks: {corpus.embedded} of {corpus.eligible}; waiting: {corpus.pending}
        {corpus.failed > 0 ? `; failed repeatedly: ${corpus.failed}` : ''}
      </p>
      <p>
        Spent today (UTC): {formatUsd(spent)} of {formatUsd(cap)}
      </p>
      {reason !== null && <Notice tone="warn">Embedding has stopped: {reason.replaceAll('_', ' ')}.</Notice>}
    </section>
  );
}
