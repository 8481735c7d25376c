import { useState } from 'react';
import type { NoticeChannel } from '../../api/answers.ts';
import { saveItem } from '../../api/save-item.ts';
import { CHANNELS_PATH, channelsKey } from '../../queries/notices.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import styles from '../webhooks/webhooks.module.css';
import { KINDS, NOTICE_NAMES, NOTICES, URL_HINTS, USUAL } from './notice-words.ts';

interface Props {
  /** The channel to change; undefined for a new one. */
  readonly channel: NoticeChannel | undefined;
  readonly onClose: () => void;
}

export function ChannelDialog({ channel, onClose }: Props) {
  const [kind, setKind] = useState<NoticeChannel['kind']>(channel?.kind ?? 'slack');
  const chosen = channel?.notices ?? USUAL;
  return (
    <FormDialog
      title={channel === undefined ? 'Add channel' : 'Edit channel'}
      action={channel === undefined ? 'Add channel' : 'Save channel'}
      onClose={onClose}
      onSend={(values) => save(channel, kind, values)}
      touches={channelsKey}
    >
      {(errorOf) => (
        <>
          {channel === undefined && (
            <SelectField
              label="Service"
              name="kind"
              options={KINDS}
              value={kind}
              onChange={({ currentTarget: { value } }) => setKind(value as NoticeChannel['kind'])}
              error={errorOf('kind')}
            />
          )}
          <Field
            label="URL"
            name="url"
            inputMode="url"
            required
            hint={URL_HINTS[kind]}
            defaultValue={channel?.url}
            error={errorOf('url')}
          />
          {kind === 'ntfy' && (
            <Field
              label="Token"
              name="token"
              type="password"
              autoComplete="off"
              hint={
                channel === undefined || channel.token_hint === null
                  ? 'Leave empty if the server does not require a token. The token is stored encrypted and never shown.'
                  : 'A token is stored. Leave empty to keep it.'
              }
              error={errorOf('token')}
            />
          )}
          <Field
            label="Description"
            name="description"
            maxLength={500}
            hint="For example, the name of the Slack channel."
            defaultValue={channel?.description}
            error={errorOf('description')}
          />
          <fieldset className={styles['types']}>
            <legend>Notices</legend>
            {NOTICE_NAMES.map((name) => (
              <label key={name}>
                <input type="checkbox" name={`notice ${name}`} defaultChecked={chosen.includes(name)} />
                <span>{NOTICES[name]}</span>
              </label>
            ))}
          </fieldset>
        </>
      )}
    </FormDialog>
  );
}

function save(
  channel: NoticeChannel | undefined,
  kind: NoticeChannel['kind'],
  values: Readonly<Record<string, string>>,
): Promise<NoticeChannel> {
  const read = (field: string): string => (values[field] ?? '').trim();
  const body = {
    ...(read('url') !== channel?.url && { url: read('url') }),
    description: read('description'),
    notices: NOTICE_NAMES.filter((name) => `notice ${name}` in values),
    ...(read('token') !== '' && { token: read('token') }),
  };
  return saveItem<NoticeChannel>(CHANNELS_PATH, channel, channel === undefined ? { ...body, kind } : body);
}
