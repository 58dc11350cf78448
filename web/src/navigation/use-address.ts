import { navigate, useBrowserLocation, type BrowserLocationHook } from 'wouter/use-browser-location'
import { afterLeaving } from './leave.ts'

const navigateAfterLeaving: typeof navigate = (to, options) => afterLeaving(() => navigate(to, options))

/**
 * Router hook (wouter): returns the path of the URL and the function that changes it. The change is made after a pending `history.back()`.
 */
export const useAddress: BrowserLocationHook = (options) => [useBrowserLocation(options)[0], navigateAfterLeaving]
