import { useHashLocation } from 'wouter/use-hash-location'
import { afterLeaving } from '../navigation/leave.ts'

type NavigateOptions = { readonly replace?: boolean; readonly state?: unknown }

/**
 * Location hook for the router wouter in the back-office, which keeps its page in the URL's fragment. It returns a pair: the path (`/logs`
 * for `#/logs?level=error`), and the function that changes path and search string.
 */
export const useHashAddress = (): [string, typeof navigate] => [partsOf(useHashLocation()[0]).path, navigate]

export const useHashSearch = (): string => partsOf(useHashLocation()[0]).search

useHashAddress.searchHook = useHashSearch

/**
 * Function by which the router wouter makes the `href` of a link from a path: it puts the path into the URL's fragment. Clicks do not
 * follow the `href`, but call `navigate`.
 */
useHashAddress.hrefs = (address: string): string => `#${address}`

export function partsOf(address: string): { readonly path: string; readonly search: string } {
  const [path = '/', search = ''] = address.split(/\?(.*)/s)
  return { path, search }
}

function navigate(address: string, { replace = false, state = null }: NavigateOptions = {}): void {
  afterLeaving(() => {
    const hash = useHashAddress.hrefs(address)
    // Like a browser's link to the current page, this adds no history entry.
    history[replace || hash === location.hash ? 'replaceState' : 'pushState'](state, '', hash)
    dispatchEvent(new HashChangeEvent('hashchange'))
  })
}
