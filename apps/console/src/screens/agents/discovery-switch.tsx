import { useQuery } from '@tanstack/react-query';
import { useRefusal } from '../../auth/use-permission.ts';
import { agentsKey, discoveryQuery, saveDiscovery } from '../../queries/agents.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import styles from '../../ui/stack.module.css';
import { useChange } from '../../ui/use-change.ts';

/** Shows and changes whether workstations may report their agents. */
export function DiscoverySwitch() {
  const { data } = useQuery(discoveryQuery());
  const refusal = useRefusal('manage_agents');
  const save = useChange(saveDiscovery, agentsKey);
  if (data === undefined) return null;
  return (
    <div className={styles['stack']}>
      <div className={styles['actions']}>
        <span>
          {data.enabled ? 'Reports from workstations are accepted.' : 'Reports from workstations are refused.'}
        </span>
        <Button disabledReason={refusal} aria-busy={save.isPending} onClick={() => save.mutate(!data.enabled)}>
          {data.enabled ? 'Refuse reports' : 'Accept reports'}
        </Button>
      </div>
      {save.error !== null && <ErrorState error={save.error} />}
    </div>
  );
}
