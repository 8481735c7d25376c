import { useMutation } from '@tanstack/react-query';
import type { Execution } from '../../api/answers.ts';
import { requestStream } from '../../api/request.ts';
import { saveFile } from '../../api/save-file.ts';
import { executionPath } from '../../queries/executions.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import styles from './executions.module.css';

/** The evidence of a run, described by its receipt. */
export function Evidence({ execution: { id, evidence_receipt: receipt } }: { readonly execution: Execution }) {
  const download = useMutation({
    mutationFn: async () => {
      const archive = await new Response(await requestStream(`${executionPath(id)}/evidence`, { headers: {} })).blob();
      saveFile(archive, `evidence-${id}.tar.gz`);
    },
  });
  if (receipt === null || receipt === undefined) return null;
  const isThere = (receipt as { readonly status?: unknown }).status === 'available';
  return (
    <details>
      <summary>Evidence</summary>
      <pre className={styles['part']}>{JSON.stringify(receipt, null, 2)}</pre>
      <Button
        aria-busy={download.isPending}
        disabledReason={isThere ? undefined : 'the archive is not available'}
        onClick={() => download.mutate()}
      >
        Download evidence
      </Button>
      {download.error !== null && <ErrorState error={download.error} />}
    </details>
  );
}
