import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { PolicyVersion } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { policiesKey, policyQuery, rollBack, versionQuery, versionsQuery } from '../../queries/policies.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from './policies.module.css';

const route = getRouteApi('/inside/policies/versions');

const COLUMNS: readonly Column<PolicyVersion>[] = [
  { name: 'Version', show: ({ version }) => String(version) },
  { name: 'Rules', show: ({ rules }) => String(rules) },
  {
    name: 'Reason',
    show: ({ message, rolled_back_to: to }) => (to === null ? (message ?? '') : `Rolled back to version ${to}`),
  },
  { name: 'Applied', show: ({ created_at: at }) => (at === null ? '' : <TimeAgo at={at} />) },
];

/** All versions that were ever in force. */
export function VersionsScreen() {
  const { cursor, show } = route.useSearch();
  const query = useQuery({ ...versionsQuery(cursor), placeholderData: keepPreviousData });
  // Another version may have been applied since the policy was read for the editor.
  const inForce = useQuery({ ...policyQuery(), refetchOnMount: 'always' });
  const [asked, setAsked] = useState<number>();
  const refusal = useRefusal('manage_policies');
  const current = inForce.data?.version;
  const columns: readonly Column<PolicyVersion>[] = [
    ...COLUMNS,
    {
      name: 'Text',
      show: ({ version }) => (
        <Link to="/policies/versions" search={{ cursor, show: String(version) }}>
          Show version {version}
        </Link>
      ),
    },
    {
      name: 'Roll back',
      show: ({ version }) =>
        version === current ? (
          'In force'
        ) : (
          <Button disabledReason={refusal} onClick={() => setAsked(version)}>
            Roll back to {version}
          </Button>
        ),
    },
  ];
  return (
    <Page title="Policy versions" actions={<Link to="/policies">Policy in force</Link>}>
      <PagedTable
        name="Versions"
        what="versions"
        columns={columns}
        query={query}
        params={{}}
        keyOf={({ version }) => String(version)}
        empty={
          <>
            No policy has been applied yet. <Link to="/policies">Write the first one</Link>.
          </>
        }
      />
      {show !== undefined && <Text version={show} />}
      {asked !== undefined && current !== undefined && (
        <GoBack version={asked} current={current} onClose={() => setAsked(undefined)} />
      )}
    </Page>
  );
}

function Text({ version }: { readonly version: string }) {
  const query = useQuery(versionQuery(version));
  return (
    <section aria-label={`Version ${version}`}>
      <h2>Version {version}</h2>
      <Loaded what="the version" query={query}>
        {({ text }) => <pre className={styles['value']}>{text}</pre>}
      </Loaded>
    </section>
  );
}

interface GoBackProps {
  readonly version: number;
  readonly current: number;
  readonly onClose: () => void;
}

function GoBack({ version, current, onClose }: GoBackProps) {
  const change = useChange(() => rollBack(version, current), policiesKey);
  return (
    <ConfirmChange
      title={`Roll back to version ${version}`}
      action="Roll back"
      look="danger"
      change={change}
      onClose={onClose}
    >
      <p>
        The content of version {version} becomes a new version, which applies from the next tool call on. Version{' '}
        {current} stays readable.
      </p>
    </ConfirmChange>
  );
}
