import type { SignedInUser } from '../../api/client.ts'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import * as words from '../../words/messages.js'
import { AccessCard } from './access-card.tsx'
import { ApiKeysCard } from './api-keys-card.tsx'
import { ChoicesCard } from './choices-card.tsx'
import { EscalationCard } from './escalation/escalation-card.tsx'
import { MessagesCard } from './messages/messages-card.tsx'
import { NotificationRulesCard } from './notification-rules/notification-rules-card.tsx'
import { NotificationsCard } from './notifications-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { QuietHoursCard } from './quiet-hours-card.tsx'
import { SecondFactorsCard } from './second-factors-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { SettingsNavigation } from './settings-navigation.tsx'

/**
 * React component: settings page of the signed-in user: display, notifications with rules, escalation and messages, quiet hours, profile,
 * password, two-factor sign-in, sessions and API keys. For admins it also links to groups and access.
 */
export function SettingsPage({ user }: { user: SignedInUser }) {
  usePageTitle(words.title_settings())
  return (
    <main className="mx-auto grid w-full max-w-2xl flex-1 content-start gap-x-8 gap-y-3.5 px-6 pb-10 max-sm:px-3 lg:max-w-4xl lg:grid-cols-[10rem_minmax(0,1fr)]">
      <PageHeader title={words.settings()} className="lg:col-span-2" />
      <SettingsNavigation role={user.role} />
      <div className="flex min-w-0 flex-col gap-3.5">
        <ChoicesCard />
        <NotificationsCard />
        <NotificationRulesCard />
        <EscalationCard user={user} />
        <MessagesCard />
        <QuietHoursCard />
        <ProfileCard user={user} />
        <PasswordCard />
        <SecondFactorsCard />
        <SessionsCard />
        <ApiKeysCard user={user} />
        {user.role === 'admin' && <AccessCard />}
      </div>
    </main>
  )
}
