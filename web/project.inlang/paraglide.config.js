// oxlint-disable-next-line import/no-default-export -- the compiler asks for the default export of a module
export default {
  strategy: ['baseLocale'],
  isServer: 'false',
  emitGitIgnore: false,
  emitPrettierIgnore: false,
  emitReadme: false,
  disableAsyncLocalStorage: true,
}
