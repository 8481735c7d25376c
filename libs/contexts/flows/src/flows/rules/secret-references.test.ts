import { listSecretReferences, replaceSecretReferences } from './secret-references.ts';

describe('references to named secrets', () => {
  it('are each found once, with and without spaces', () => {
    expect(listSecretReferences(['a {{secret.ONE}} {{ secret.two_2 }}', '{{secret.ONE}}'])).toEqual(['ONE', 'two_2']);
  });

  it.each(['{{secret.}}', '{{secret.1X}}', '{{secrets.X}}', '{secret.X}', '{{secret.X-Y}}', '{{ trigger_event.id }}'])(
    'do not include %s',
    (text) => {
      expect(listSecretReferences([text])).toEqual([]);
      expect(replaceSecretReferences(text, () => 'value')).toBe(text);
    },
  );

  it('are replaced by the exact value, which is not expanded again', () => {
    expect(replaceSecretReferences('<{{secret.A}}>', () => '$& {{secret.A}}')).toBe('<$& {{secret.A}}>');
  });
});
