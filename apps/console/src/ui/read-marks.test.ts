import { readMarks } from './read-marks.ts';

describe('a snippet', () => {
  it('is split into plain text parts, with its matches marked', () => {
    expect(readMarks('exit <mark>code</mark> 1 &amp; <mark>code</mark>')).toEqual([
      { text: 'exit ', isMatch: false },
      { text: 'code', isMatch: true },
      { text: ' 1 & ', isMatch: false },
      { text: 'code', isMatch: true },
    ]);
  });

  it('shows stored markup as text, unescaped exactly once', () => {
    expect(readMarks('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp;lt; it&#39;s')).toEqual([
      { text: '<script>alert("1")</script> &lt; it\'s', isMatch: false },
    ]);
    expect(readMarks('&lt;mark&gt;no match&lt;/mark&gt;')).toEqual([{ text: '<mark>no match</mark>', isMatch: false }]);
  });

  it('leaves unknown entities unchanged', () => {
    expect(readMarks('a && b &nbsp; &')).toEqual([{ text: 'a && b &nbsp; &', isMatch: false }]);
  });
});
