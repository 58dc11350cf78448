const folder = process.env['NODE_COMPILE_CACHE']

/** For the environment of programs that a test starts: what V8 made of the hub's sources in this run, so that none compiles them anew. */
export const compiledSources: Readonly<Record<string, string>> = folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
