import { useQuery } from '@tanstack/react-query';
import { useRefusal } from '../../auth/use-permission.ts';
import { backtestQuery, startBacktest } from '../../queries/policies.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import stack from '../../ui/stack.module.css';
import { useForm } from '../../ui/use-form.ts';
import { BacktestResult } from './backtest-result.tsx';

/** A backtest that was started here, with the text that it tests. */
export interface TestedText {
  readonly backtestId: string;
  readonly text: string;
}

interface Props {
  readonly text: string;
  /** Why the text cannot be tested; undefined if it can. */
  readonly refusal: string | undefined;
  readonly tested: TestedText | undefined;
  readonly onTested: (tested: TestedText) => void;
  readonly onRule: (ruleId: string) => void;
}

const DAY_MS = 86_400_000;
const DAYS = { '1': 'a day', '7': 'a week', '30': '30 days' };

/** Tests the text of the editor against recorded calls. */
export function Backtests({ text, refusal, tested, onTested, onRule }: Props) {
  const mayNot = useRefusal('view_runtime_sessions');
  const { error, isBusy, onSubmit } = useForm(async ({ days = '1' }) => {
    const { id } = await startBacktest(text, new Date(Date.now() - Number(days) * DAY_MS));
    onTested({ backtestId: id, text });
  });
  return (
    <section className={stack['stack']} aria-label="Test against past calls">
      <h2>Test against past calls</h2>
      <form className={stack['stack']} onSubmit={onSubmit}>
        <SelectField label="Calls of the last" name="days" options={DAYS} defaultValue="7" />
        {error !== undefined && <ErrorState error={error} />}
        <div className={stack['actions']}>
          <Button type="submit" disabledReason={mayNot ?? refusal} aria-busy={isBusy}>
            Run backtest
          </Button>
        </div>
      </form>
      {tested !== undefined && (
        <>
          {tested.text !== text && (
            <Notice tone="warn" isNews>
              The document has changed since this backtest. Run it again to test the current text.
            </Notice>
          )}
          <Outcome backtestId={tested.backtestId} onRule={onRule} />
        </>
      )}
    </section>
  );
}

function Outcome({ backtestId, onRule }: { readonly backtestId: string } & Pick<Props, 'onRule'>) {
  const query = useQuery(backtestQuery(backtestId));
  return (
    <Loaded what="the backtest" query={query}>
      {(backtest) => <BacktestResult backtest={backtest} onRule={onRule} />}
    </Loaded>
  );
}
