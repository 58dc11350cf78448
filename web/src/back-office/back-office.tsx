import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Router } from 'wouter'
import { watchRefusals } from '../api/client.ts'
import { queryClient } from '../api/server-query.ts'
import { useSession } from '../api/use-session.ts'
import { basePath } from '../base-path.ts'
import { checkSession } from '../check-session.ts'
import { LoginPage } from '../features/login/login-page.tsx'
import { useLanguage } from '../preferences/use-preferences.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { usePageTitle } from '../ui/use-page-title.ts'
import { Toaster } from '../ui/toaster.tsx'
import { messageOf } from '../api/request-failed.ts'
import * as words from '../words/messages.js'
import { Navigation } from './navigation.tsx'
import { placeOf, type Place } from './places.ts'
import { useHashAddress, useHashSearch } from './use-hash-address.ts'

const Waiting = () => <Spinner label={words.loading()} />
const AuditPage = onDemand(async () => (await import('./audit/audit-page.tsx')).AuditPage, Waiting)
const BackupsPage = onDemand(async () => (await import('./backups/backups-page.tsx')).BackupsPage, Waiting)
const CollectionPage = onDemand(async () => (await import('./records/collection-page.tsx')).CollectionPage, Waiting)
const HealthPage = onDemand(async () => (await import('./health/health-page.tsx')).HealthPage, Waiting)
const ImportPage = onDemand(async () => (await import('./import/import-page.tsx')).ImportPage, Waiting)
const JobsPage = onDemand(async () => (await import('./jobs/jobs-page.tsx')).JobsPage, Waiting)
const LogsPage = onDemand(async () => (await import('./logs/logs-page.tsx')).LogsPage, Waiting)
const MailPage = onDemand(async () => (await import('./settings/mail-page.tsx')).MailPage, Waiting)
const SignInPage = onDemand(async () => (await import('./sign-in/sign-in-page.tsx')).SignInPage, Waiting)

/** React component: root of the back-office (admin pages), a single-page app beside the dashboard. It uses the dashboard's session. */
export function BackOffice() {
  useLanguage()
  return (
    <QueryClientProvider client={queryClient}>
      <div className="flex min-h-dvh flex-col">
        <ErrorBoundary renderError={(error) => <Failed detail={messageOf(error)} />}>
          <Entrance />
        </ErrorBoundary>
      </div>
      <Toaster />
    </QueryClientProvider>
  )
}

function Entrance() {
  const user = useSession()
  if (user === undefined) return <LoginPage />
  if (user.role !== 'admin') return <AdminsOnly />
  return (
    // oxlint-disable-next-line react/hooks -- wouter takes the hook itself
    <Router hook={useHashAddress}>
      <Pages />
    </Router>
  )
}

function AdminsOnly() {
  usePageTitle(words.office_admins_only())
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-lg content-center p-3">
      <EmptyState title={words.office_admins_only()} detail={words.office_admins_only_detail()} isPage>
        <a href={`${basePath}/`} className="font-medium text-accent underline">
          {words.office_to_dashboard()}
        </a>
      </EmptyState>
    </main>
  )
}

function Pages() {
  const [path] = useHashAddress()
  const place = placeOf(path, useHashSearch())
  useEffect(() => watchRefusals(checkSession()), [])
  return (
    <div className="mx-auto flex w-full max-w-(--page-width) flex-1 gap-6 px-6 max-lg:flex-col max-lg:gap-2 max-sm:px-3">
      <Navigation place={place} />
      <main className="min-w-0 flex-1 pb-10">
        {/* An error is discarded when another page is opened. */}
        <ErrorBoundary key={place.key} renderError={(error) => <Failed detail={messageOf(error)} />}>
          <PageOf place={place} />
        </ErrorBoundary>
      </main>
    </div>
  )
}

function PageOf({ place }: { place: Place }) {
  switch (place.kind) {
    case 'collection':
      return <CollectionPage key={place.collection} collection={place.collection} />
    case 'backups':
      return <BackupsPage />
    case 'mail':
      return <MailPage />
    case 'audit':
      return <AuditPage />
    case 'health':
      return <HealthPage />
    case 'import':
      return <ImportPage />
    case 'jobs':
      return <JobsPage />
    case 'logs':
      return <LogsPage />
    case 'sign-in':
      return <SignInPage />
    default:
      return <UnknownPage />
  }
}

function UnknownPage() {
  usePageTitle('404')
  return <EmptyState title={words.office_no_page()} detail={words.office_no_page_detail()} isPage />
}

const Failed = ({ detail }: { detail: string }) => <EmptyState title={words.page_failed()} detail={detail} isPage />
