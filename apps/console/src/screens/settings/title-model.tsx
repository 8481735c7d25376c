import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TitleSetting } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { modelsQuery } from '../../queries/models.ts';
import { saveTitleModel, titleSettingQuery } from '../../queries/title-setting.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './settings.module.css';

/** Model that generates titles for sessions without a title. */
export function TitleModel() {
  const query = useQuery(titleSettingQuery());
  return (
    <section className={styles['part']} aria-label="Titles of sessions">
      <h2>Titles of sessions</h2>
      <Loaded what="the setting" query={query}>
        {(setting) => <TitleForm setting={setting} />}
      </Loaded>
    </section>
  );
}

function TitleForm({ setting }: { readonly setting: TitleSetting }) {
  const { title_model: named, title_model_enabled: isEnabled } = setting;
  const refusal = useRefusal('manage_budgets');
  const mayList = useRefusal('view_ai_models') === undefined;
  const models = useQuery({ ...modelsQuery(undefined), enabled: mayList });
  // The saved choice; empty if the first words of the session are used as the title.
  const [saved, setSaved] = useState<string>();
  const { error, isBusy, onSubmit } = useForm(async ({ title_model: chosen = '' }) => {
    setSaved(undefined);
    await saveTitleModel(chosen === '' ? null : chosen);
    setSaved(chosen);
  });
  if (mayList && models.data === undefined && models.error === null) return null;
  const aliases = (models.data?.items ?? []).filter((model) => model.enabled).map(({ alias }) => alias);
  const offered = [...new Set([...(named === null ? [] : [named]), ...aliases])];
  const ofField = error?.field === 'title_model' ? error.message : undefined;
  return (
    <form className={styles['form']} onSubmit={onSubmit}>
      {isEnabled === false && (
        <Notice tone="warn">The model is disabled: it does not generate titles until it is enabled again.</Notice>
      )}
      <fieldset className={styles['fields']} disabled={refusal !== undefined}>
        <SelectField
          label="Titles by"
          name="title_model"
          options={{ '': 'First words of the session', ...Object.fromEntries(offered.map((alias) => [alias, alias])) }}
          defaultValue={named ?? ''}
          hint="The model is called when a session without a title is listed; budgets apply to these calls."
          error={ofField}
        />
      </fieldset>
      {error !== undefined && ofField === undefined && <ErrorState error={error} />}
      {saved !== undefined && (
        <Notice tone="ok" isNews>
          {saved === ''
            ? 'New titles are now the first words of the session.'
            : `The model ${saved} now generates titles for sessions without a title.`}
        </Notice>
      )}
      <Button type="submit" look="primary" aria-busy={isBusy} disabledReason={refusal}>
        Use for titles
      </Button>
    </form>
  );
}
