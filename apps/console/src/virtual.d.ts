/** The shipped transcript, as an address of this site. */
declare module 'virtual:demo-transcript' {
  const url: string;
  export default url;
}
