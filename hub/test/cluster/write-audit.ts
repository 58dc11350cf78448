import { Pool } from 'pg'

/** A sample that a hub has stored. `owner`: the hub that held the system's lease in that transaction. */
export type SampleWrite = {
  readonly system: string
  readonly at: number
  /** The machine's uptime in that sample, in seconds. */
  readonly uptime: number
  readonly writer: string
  readonly owner: string | null
  readonly epoch: number | null
}

/** A lease at one time. */
export type LeaseChange = { readonly system: string; readonly hub: string; readonly epoch: number }

/**
 * The database itself notes who writes what: each hub connects with its name as `application_name`. Every write of a sample counts, also
 * one of a measurement that is stored already.
 */
const AUDIT = `
create table audit_samples (no bigserial primary key, system text, at bigint, uptime bigint, writer text, owner text, epoch bigint);
create function audit_sample() returns trigger language plpgsql as $$ begin
  insert into audit_samples (system, at, uptime, writer, owner, epoch)
    select new.id, (new.info::json ->> 'at')::bigint, (new.info::json ->> 'u')::bigint, current_setting('application_name'), hubs.name, lease.epoch
    from (select 1) one left join system_leases lease on lease.system = new.id left join hubs on hubs.id = lease.hub;
  return null;
end $$;
create trigger audit_sample after update of info on systems for each row
  when (new.status = 'up' and new.info::json ->> 'at' is not null) execute function audit_sample();
create table audit_leases (no bigserial primary key, system text, hub text, epoch bigint);
create function audit_lease() returns trigger language plpgsql as $$ begin
  insert into audit_leases (system, hub, epoch) values (new.system, new.hub, new.epoch);
  return null;
end $$;
create trigger audit_lease after insert or update on system_leases for each row execute function audit_lease();
`

/** Adds the audit to a database with tables, and reads it. */
export async function auditWrites(url: string) {
  const pool = new Pool({ connectionString: url, max: 1 })
  // The server may go away and come back: the next query takes another connection.
  pool.on('error', () => {})
  await pool.query(AUDIT)
  const numbers = <T extends { readonly at?: unknown; readonly uptime?: unknown; readonly epoch: unknown }>(row: T): T => ({
    ...row,
    ...('at' in row && { at: Number(row.at), uptime: Number(row.uptime) }),
    epoch: row.epoch === null ? null : Number(row.epoch),
  })
  return {
    async samples(): Promise<readonly SampleWrite[]> {
      const { rows } = await pool.query<SampleWrite>('select system, at, uptime, writer, owner, epoch from audit_samples order by no')
      return rows.map(numbers)
    },
    async leases(): Promise<readonly LeaseChange[]> {
      const { rows } = await pool.query<LeaseChange>('select system, hub, epoch from audit_leases order by no')
      return rows.map(numbers)
    },
    /** Name of the owner of each system, by the system's name. */
    async owners(): Promise<ReadonlyMap<string, string>> {
      const { rows } = await pool.query<{ system: string; hub: string }>(
        'select systems.name as system, hubs.name as hub from systems join system_leases on system = systems.id join hubs on hubs.id = system_leases.hub',
      )
      return new Map(rows.map(({ system, hub }) => [system, hub]))
    },
    [Symbol.asyncDispose]: () => pool.end(),
  }
}
