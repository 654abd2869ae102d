/** Sessions end by themselves, and remember when they were last used. */
import type { Session } from "../records/session";
import type { Service } from "../service";

/** @returns undefined where there is no such session, or no longer */
export function findSession(service: Service, tokenDigest: string): Session | undefined {
  const session = service.store.sessions.by("token", tokenDigest);
  return session !== undefined && session.expires_ms > service.now() ? session : undefined;
}

/** Notes the use of a session. Only in memory: what a crash loses here, nobody misses. */
export function touchSession(service: Service, session: Session, addr: string | null): void {
  service.store.sessions.put({ ...session, last_ms: service.now(), addr });
  forgetView(service, session);
}

/** Sessions live equally long, as a rule, so that the oldest end first: looking at more of them would cost every request. */
export function endExpired(service: Service): void {
  for (const session of service.store.sessions.values()) {
    if (session.expires_ms > service.now()) return;
    service.store.sessions.drop(session);
    forgetView(service, session);
  }
}

export function forgetView(service: Service, session: Session): void {
  const profile = service.store.profiles.find(session.user_id);
  if (profile !== undefined) service.views.forget(profile);
}
