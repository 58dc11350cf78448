import { useEffect, useSyncExternalStore } from 'react'
import type { Role } from '../../api/client.ts'
import { basePath } from '../../base-path.ts'
import { paths } from '../../paths.ts'
import { cn } from '../../ui/cn.ts'
import * as words from '../../words/messages.js'
import { settingsGroups } from './settings-parts.ts'

/**
 * React component: links to the sections of the settings page that this role sees; the section in view is marked. It is shown only in wide
 * windows.
 */
export function SettingsNavigation({ role }: { role: Role }) {
  const read = useSyncExternalStore(followView, partInView)
  useEffect(keepAddressedInView, [])
  const groups = settingsGroups.filter(({ isForAdmins }) => isForAdmins !== true || role === 'admin')
  return (
    <nav aria-label={words.settings()} className="sticky top-17 flex flex-col gap-4 self-start max-lg:hidden print:hidden">
      {groups.map(({ title, parts }) => (
        <div key={parts[0]?.id}>
          <p className="mb-1 px-2 text-small font-semibold text-muted">{title()}</p>
          <ul>
            {parts.map(({ id, title }) => (
              <li key={id}>
                <a
                  href={`${basePath}${paths.settings}#${id}`}
                  aria-current={read === id ? 'true' : undefined}
                  className={cn(
                    'block rounded-control px-2 py-1 text-body',
                    read === id ? 'bg-track font-medium text-text hover:bg-border-strong' : 'text-muted hover:bg-hover hover:text-text',
                  )}
                >
                  {title()}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

const ids = settingsGroups.flatMap(({ parts }) => parts.map(({ id }) => id))

/**
 * Returns the id of the settings section in view: the last one that starts in the upper third of the browser window. At the end of the
 * page, it is the section in the URL's fragment, if that section starts in view. Before the first section starts there, it is the first
 * one.
 */
function partInView(): string | undefined {
  const top = (id: string): number => document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY
  const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
  const addressed = location.hash.slice(1)
  if (isAtEnd && ids.includes(addressed) && top(addressed) >= 0) return addressed
  return ids.findLast((id) => top(id) < innerHeight / 3) ?? ids[0]
}

function followView(onChange: () => void): () => void {
  const events = ['scroll', 'hashchange']
  for (const event of events) addEventListener(event, onChange)
  // Sections move without scrolling when content above grows.
  const growth = new ResizeObserver(onChange)
  growth.observe(document.body)
  return () => {
    for (const event of events) removeEventListener(event, onChange)
    growth.disconnect()
  }
}

/**
 * Scrolls to the settings section in the URL's fragment and keeps it in view while content above loads. It stops when the user uses wheel,
 * pointer or keyboard. Returns the function that ends this.
 */
function keepAddressedInView(): () => void {
  const growth = new ResizeObserver(() => {
    const part = document.getElementById(location.hash.slice(1))
    if (part === null) return
    history.scrollRestoration = 'manual'
    part.scrollIntoView()
  })
  growth.observe(document.body)
  const end = () => growth.disconnect()
  const acts = ['wheel', 'pointerdown', 'keydown']
  for (const act of acts) addEventListener(act, end)
  return () => {
    end()
    history.scrollRestoration = 'auto'
    for (const act of acts) removeEventListener(act, end)
  }
}
