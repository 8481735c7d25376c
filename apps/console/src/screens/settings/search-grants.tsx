import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { SearchGrants as Grants } from '../../api/answers.ts';
import { useSession } from '../../auth/session.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { deploymentQuery } from '../../queries/deployment.ts';
import { saveSearchGrant, searchGrantsKey, searchGrantsQuery, type SearchGrant } from '../../queries/search-grants.ts';
import { showName, useNames } from '../../queries/use-names.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from './settings.module.css';

const SUBJECTS = { managed_agent: 'Agent', api_key: 'API key', account: 'All agents of the account' } as const;

/**
 * Grants that state which agents and API keys may search all sessions of the account. Shown only if the edition has
 * such grants (SRCH-60) and the user has the required permissions.
 */
export function SearchGrants() {
  const refusals = [useRefusal('manage_agents'), useRefusal('search_session_content')];
  const { data: deployment } = useQuery(deploymentQuery());
  if (deployment?.edition !== 'enterprise' || refusals.some((refusal) => refusal !== undefined)) return null;
  return (
    <section className={styles['wide']} aria-label="Agent searches">
      <h2>Agent searches</h2>
      <p>
        Without a grant, an agent finds only its own sessions. A grant states whether agents may search all sessions of
        the account. A grant for an API key takes precedence over a grant for its agent, and both take precedence over a
        grant for all agents of the account.
      </p>
      <GrantList />
      <DialogButton label="Add grant">{(close) => <AddGrant onClose={close} />}</DialogButton>
    </section>
  );
}

function GrantList() {
  const query = useQuery(searchGrantsQuery());
  const names = useNames('agent', 'key');
  const remove = useChange<SearchGrant, Grants>((grant) => saveSearchGrant(grant, 'remove'), searchGrantsKey);
  return (
    <>
      <Loaded what="the grants" query={query}>
        {({ grants }) =>
          grants.length === 0 ? (
            <p>No grants yet: each agent searches only its own sessions.</p>
          ) : (
            <DataTable
              name="Grants"
              rows={grants}
              keyOf={({ subject_type: type, subject_id: id }) => `${type} ${id}`}
              columns={[
                { name: 'For', show: ({ subject_type: type }) => SUBJECTS[type] },
                {
                  name: 'Name',
                  show: ({ subject_type: type, subject_id: id }) =>
                    type === 'account' ? '' : <span title={id}>{showName(names, id)}</span>,
                },
                {
                  name: 'All sessions',
                  show: ({ session_search_account_scope: isGranted }) => (isGranted ? 'may search' : 'may not search'),
                },
                { name: 'Change', show: (grant) => <Button onClick={() => remove.mutate(grant)}>Remove grant</Button> },
              ]}
            />
          )
        }
      </Loaded>
      {remove.error !== null && <ErrorState error={remove.error} />}
    </>
  );
}

function AddGrant({ onClose }: { readonly onClose: () => void }) {
  const session = useSession();
  const names = useNames('agent', 'key');
  const list = useId();
  const send = ({ type = '', subject = '', scope = '' }: Readonly<Record<string, string>>): Promise<Grants> => {
    const own = session.kind === 'signed-in' ? session.user.account_id : '';
    const grant: SearchGrant = {
      subject_type: type as SearchGrant['subject_type'],
      subject_id: type === 'account' ? own : subject.trim(),
      session_search_account_scope: scope === 'yes',
    };
    return saveSearchGrant(grant, 'set');
  };
  return (
    <FormDialog title="Add grant" action="Save grant" onClose={onClose} onSend={send} touches={searchGrantsKey}>
      {() => (
        <>
          <SelectField label="For" name="type" options={SUBJECTS} />
          <Field
            label="Id"
            name="subject"
            list={list}
            maxLength={255}
            hint="Id of the agent or of the API key; empty for all agents of the account."
          />
          <datalist id={list}>
            {[...names].map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </datalist>
          <SelectField label="All sessions" name="scope" options={{ yes: 'may search', no: 'may not search' }} />
        </>
      )}
    </FormDialog>
  );
}
