import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { basePath } from '../base-path.ts'
import { paths } from '../paths.ts'
import { Icon } from '../ui/icon.tsx'
import { cn } from '../ui/cn.ts'
import * as words from '../words/messages.js'
import { collectionsQuery } from './records/collections.ts'
import { collectionAddress, placeOf, type Place } from './places.ts'
import { partsOf } from './use-hash-address.ts'

const keyOf = (address: string): string => {
  const { path, search } = partsOf(address)
  return placeOf(path, search).key
}

/**
 * React component: navigation of the back-office (admin pages): links to frequently used pages, then to all collections but `users` and
 * `systems`, which are among those pages. The link to the present page, `place`, is marked.
 */
export function Navigation({ place }: { place: Place }) {
  const { data: collections = [] } = useQuery(collectionsQuery)
  const pages = [
    { address: '/', name: words.admin_users() },
    { address: collectionAddress('systems'), name: words.admin_systems() },
    { address: '/logs', name: words.admin_logs() },
    { address: '/health', name: words.office_health() },
    { address: '/audit', name: words.office_audit() },
    { address: '/settings/crons', name: words.office_jobs() },
    { address: '/settings/backups', name: words.admin_backups() },
    { address: '/settings/import', name: words.office_import() },
    { address: '/settings/auth-providers', name: words.admin_auth_providers() },
    { address: '/settings/mail', name: words.office_mail() },
  ]
  const others = collections
    .filter(({ name }) => name !== 'users' && name !== 'systems')
    .map(({ name }) => ({ address: collectionAddress(name), name }))
  const link = ({ address, name }: { address: string; name: string }) => {
    const isHere = keyOf(address) === place.key
    return (
      <li key={name}>
        <Link
          href={address}
          aria-current={isHere ? 'page' : undefined}
          className={cn(
            'flex min-h-8 items-center rounded-control px-2.5 whitespace-nowrap',
            isHere ? 'bg-track font-medium hover:bg-border-strong' : 'text-muted hover:bg-hover',
          )}
        >
          {name}
        </Link>
      </li>
    )
  }
  return (
    <nav
      aria-label={words.office_pages()}
      className="w-52 shrink-0 max-lg:w-full lg:sticky lg:top-0 lg:max-h-dvh lg:self-start lg:overflow-y-auto"
    >
      <a
        href={`${basePath}/`}
        aria-label={words.product_home()}
        className="flex h-13 items-center gap-2 px-2.5 text-[15px] font-semibold tracking-tight hover:text-accent"
      >
        <Icon name="mark" className="size-5 text-accent" />
        Vedette
      </a>
      <ul className="flex gap-0.5 max-lg:flex-wrap lg:flex-col">{pages.map(link)}</ul>
      <details className="mt-3 mb-4" open={others.some(({ address }) => keyOf(address) === place.key)}>
        <summary className="cursor-pointer px-2.5 py-1 text-note text-muted hover:text-text">{words.office_collections()}</summary>
        <ul className="flex gap-0.5 max-lg:flex-wrap lg:flex-col">{others.map(link)}</ul>
      </details>
      <a href={paths.documents} className="mb-4 flex min-h-8 items-center rounded-control px-2.5 text-muted hover:bg-hover">
        {words.documentation()}
      </a>
    </nav>
  )
}
