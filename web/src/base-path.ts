/**
 * Path of the URL under which the hub is served, without a slash at its end, such as `/monitoring`; an empty string at the root. Pages of
 * the back-office (`/_/`) have the same value.
 */
export const basePath: string = typeof document === 'undefined' ? '' : new URL(document.baseURI).pathname.replace(/(?:\/_)?\/$/, '')
