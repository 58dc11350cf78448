import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'

/**
 * React component: centred card with title and description on pages for users without a session, such as sign-in. `children` is its form.
 */
export function EntryCard({ title, description, children }: { title: string; description: string; children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center p-3">
      <div className="card flex w-full max-w-sm flex-col gap-5 p-6">
        <div className="flex flex-col items-center gap-1 text-center">
          <Icon name="mark" className="mb-1 size-8 text-accent" />
          <h1 className="text-[18px]/6 font-semibold tracking-tight">{title}</h1>
          <p className="text-note text-muted">{description}</p>
        </div>
        {children}
      </div>
    </main>
  )
}
