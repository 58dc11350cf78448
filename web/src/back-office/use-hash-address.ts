import { useHashLocation } from 'wouter/use-hash-location'
import { afterLeaving } from '../navigation/leave.ts'

type NavigateOptions = { readonly replace?: boolean; readonly state?: unknown }

/** The path after `#`. Links to other hubs' back-offices have the search there too, where wouter's own hook takes it out of: `#/logs?level=error`. */
export const useHashAddress = (): [string, typeof navigate] => [partsOf(useHashLocation()[0]).path, navigate]

export const useHashSearch = (): string => partsOf(useHashLocation()[0]).search

useHashAddress.searchHook = useHashSearch

/** The `href` of a link. A click on it goes through `navigate`: a plain link would not wait until the browser has gone back from a dialog. */
useHashAddress.hrefs = (address: string): string => `#${address}`

export function partsOf(address: string): { readonly path: string; readonly search: string } {
  const [path = '/', search = ''] = address.split(/\?(.*)/s)
  return { path, search }
}

function navigate(address: string, { replace = false, state = null }: NavigateOptions = {}): void {
  afterLeaving(() => {
    const hash = useHashAddress.hrefs(address)
    // As the browser does for a link to the page that is open: Back leads to the page before it.
    history[replace || hash === location.hash ? 'replaceState' : 'pushState'](state, '', hash)
    dispatchEvent(new HashChangeEvent('hashchange'))
  })
}
