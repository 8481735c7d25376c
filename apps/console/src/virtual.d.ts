/** URL of the shipped transcript. */
declare module 'virtual:demo-transcript' {
  const url: string;
  export default url;
}
