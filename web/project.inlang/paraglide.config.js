export default {
  strategy: ['baseLocale'],
  isServer: 'false',
  emitGitIgnore: false,
  emitPrettierIgnore: false,
  emitReadme: false,
  disableAsyncLocalStorage: true,
}
