import { navigate, useBrowserLocation, type BrowserLocationHook } from 'wouter/use-browser-location'
import { afterLeaving } from './leave.ts'

const navigateAfterLeaving: typeof navigate = (to, options) => afterLeaving(() => navigate(to, options))

/** The path of the dashboard's address, and how it is changed. */
export const useAddress: BrowserLocationHook = (options) => [useBrowserLocation(options)[0], navigateAfterLeaving]
