// The part of http-link-header that the tests use; the package has no types.

declare module 'http-link-header' {
  export default class Link {
    static parse(header: string): Link
    refs: { uri: string; rel: string; type?: string }[]
  }
}
