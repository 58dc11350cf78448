import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { fleetStatusQuery, systemsQuery } from './api/queries.ts'
import { basePath } from './base-path.ts'
import { faviconFor } from './favicon-model.ts'
import { fleetPages } from './paths.ts'

/**
 * React hook: sets the browser tab's icon. It is red when any of the user's systems is down, green when none is down and one is up, else
 * the default. When signed out, it is the default.
 */
export function useFavicon(isSignedIn: boolean): void {
  const [path] = useLocation()
  const isFollowed = fleetPages.includes(path)
  const { data: systems = [] } = useQuery({ ...systemsQuery, enabled: false })
  const { data: status } = useQuery({ ...fleetStatusQuery, enabled: isSignedIn && !isFollowed })
  const statuses = isFollowed || status === undefined ? systems.map((system) => system.status) : status === null ? [] : [status]
  const name = faviconFor(isSignedIn ? statuses : [])
  useEffect(() => {
    const link = document.querySelector('link[rel=icon]')
    link?.setAttribute('href', `${basePath}/static/${name}.svg`)
  }, [name])
}
