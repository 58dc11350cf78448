import type { SignedInUser } from '../../api/client.ts'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import * as words from '../../words/messages.js'
import { ChoicesCard } from './choices-card.tsx'
import { NotificationsCard } from './notifications-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { QuietHoursCard } from './quiet-hours-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

/** Personal settings: display, notifications, profile, password, sessions. */
export function SettingsPage({ user }: { user: SignedInUser }) {
  usePageTitle(words.title_settings())
  return (
    <main className="mx-auto flex w-full max-w-2xl flex-1 flex-col gap-3.5 px-6 pb-10 max-sm:px-3">
      <PageHeader title={words.settings()} />
      <ChoicesCard />
      <NotificationsCard />
      <QuietHoursCard />
      <ProfileCard user={user} />
      <PasswordCard />
      <SessionsCard />
    </main>
  )
}
