export type AuditOutcome =
  | { readonly kind: 'not checked'; readonly why: string }
  // Result of a successful audit: one line for each package with a known vulnerability.
  | { readonly kind: 'checked'; readonly vulnerabilities: readonly string[] }

type Report = {
  readonly auditReportVersion?: number
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly severity?: string; readonly range?: string; readonly via?: readonly unknown[] }>
  >
  readonly message?: string
  readonly error?: { readonly summary?: string }
}

/**
 * Parses the output of `npm audit --json` and returns one line for each package with a known vulnerability. Output that is no report, as
 * from a registry without audits, becomes `not checked` with the reason.
 */
export function auditOutcome(printed: string): AuditOutcome {
  const report = reportOf(printed)
  if (report?.auditReportVersion === undefined || report.vulnerabilities === undefined)
    return { kind: 'not checked', why: report?.message ?? report?.error?.summary ?? '' }
  const vulnerabilities = Object.entries(report.vulnerabilities).map(([name, { severity = 'unknown', range = '', via = [] }]) => {
    const titles = via.flatMap((one) => (typeof one === 'object' && one !== null && 'title' in one ? [String(one.title)] : []))
    return [`${name} ${range}: ${severity}`, ...titles].join('; ')
  })
  return { kind: 'checked', vulnerabilities }
}

function reportOf(printed: string): Report | undefined {
  try {
    return JSON.parse(printed) as Report // npm's own format
  } catch {
    return undefined
  }
}
