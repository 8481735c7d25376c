import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Policy } from '../../api/answers.ts';
import { policyQuery } from '../../queries/policies.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import styles from '../../ui/stack.module.css';
import { Backtests } from './backtests.tsx';
import { PolicyEditor } from './policy-editor.tsx';
import { TryCall } from './try-call.tsx';

/** The policy in force: edit it, check it, test it on recorded and hypothetical calls, and apply it. */
export function PolicyScreen() {
  const query = useQuery(policyQuery());
  return (
    <Page title="Policy" actions={<Link to="/policies/versions">Versions</Link>}>
      <Loaded what="the policy" query={query}>
        {(policy) => <Desk policy={policy} onReload={() => void query.refetch()} />}
      </Loaded>
    </Page>
  );
}

function Desk({ policy, onReload }: { readonly policy: Policy; readonly onReload: () => void }) {
  const [text, setText] = useState(policy.text);
  const [base, setBase] = useState(policy);
  // A newer version is loaded if nothing was edited, and offered otherwise.
  if (policy.version !== base.version && text === base.text) {
    setBase(policy);
    setText(policy.text);
  }
  return (
    <div className={styles['stack']}>
      <PolicyEditor
        base={base}
        text={text}
        newer={policy.version > base.version ? policy : undefined}
        onText={setText}
        onBase={(next, kept) => {
          setBase(next);
          setText(kept ?? next.text);
        }}
        onReload={onReload}
      />
      <TryCall text={text} />
      <Backtests text={text} />
    </div>
  );
}
