import { useHashLocation } from 'wouter/use-hash-location'
import { afterLeaving } from '../navigation/leave.ts'

type NavigateOptions = { readonly replace?: boolean; readonly state?: unknown }

/**
 * Router hook (wouter): returns the path in the URL's fragment, as in `#/logs?level=error`, and the function that changes it. The search
 * string is part of the fragment too.
 */
export const useHashAddress = (): [string, typeof navigate] => [partsOf(useHashLocation()[0]).path, navigate]

export const useHashSearch = (): string => partsOf(useHashLocation()[0]).search

useHashAddress.searchHook = useHashSearch

/**
 * Property of the location hook by which the router builds the `href` of a link: the path as a URL fragment. Clicks call `navigate`
 * instead, which waits for a pending `history.back()`.
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
