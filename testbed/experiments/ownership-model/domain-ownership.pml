/* A model of domain ownership: the holder of a hostname, its stored certificate, and what an
   edge serves.

   One hostname, two projects, two workers that order certificates and may be killed
   between any two steps, one edge that may be disconnected, and a DNS that changes in the
   meantime. Every order of these events is checked (`npm run experiment -- ownership-model`).

   The rules:
     proof   the CNAME names a project, so it proves a name without a holder; a name
             with a holder moves only by a TXT token that was created after the holder
             was verified (fresh); a token older than another project's proof is invalid
     fence   (fencing token) every verify and every remove raises `gen`; a certificate is stored only
             if `gen` is still the one that the worker started with
     poll    a connected edge polls at least every POLL ticks, whether or not it was
             notified; a disconnected edge continues to serve what it knows
     ack     a removal is shown as complete only when the edge has confirmed it

   Seeded bugs, one for each way to break a rule; each MUST make the run fail:
     -DBUG_CLAIM     a free name goes live without own proof
     -DBUG_LEFTOVER  a token older than the holder's proof still moves the name
     -DBUG_NOFENCE   the worker stores the certificate without checking `gen` again
     -DBUG_PUSHONLY  a connected edge relies on notifications and never polls
     -DBUG_NOACK     removal is shown as complete without the edge's confirmation

   A trace of the violation: spin -a -DBUG_NOFENCE domain-ownership.pml, compile and
   run pan as testbed/experiments/ownership-model/main.ts does, then spin -t -p -DBUG_NOFENCE domain-ownership.pml.

   The proof rule and its generations are compared with the SQL, step by step, by
   testbed/experiments/ownership-walk/main.ts; the fencing token and the edge come with certificates. */

#define NOBODY 0
#define POLL   2
#ifndef DNS_STEPS
#define DNS_STEPS 3          /* how often DNS changes */
#endif

/* DNS as the owner of the hostname last set it */
byte cname    = NOBODY;      /* project whose default host the CNAME names          */
byte txt      = NOBODY;      /* project whose token is in the TXT record            */
byte txtGen   = 0;           /* `gen` when that token was issued                    */

/* the state in PostgreSQL: one row, changed only inside a transaction */
byte live     = NOBODY;      /* project the name is served for                      */
byte gen      = 0;           /* fencing token                                       */
byte last     = NOBODY;      /* project that was verified last, removed or not      */
byte lastGen  = 0;           /* `gen` of that verification                          */
bool proven   = true;        /* ghost: the holder had own, fresh proof              */
bool certStored = false;
byte certGen  = 0;           /* `gen` the stored certificate belongs to             */
bool shownDone = false;      /* owners read: "removed, no edge serves it"           */

/* edge */
byte edgeOwner = NOBODY;     /* project the edge serves the name for                */
byte edgeGen   = 0;          /* `gen` of the last response: the acknowledgement     */
byte edgeAge   = 0;          /* ticks since that response                           */
byte edgeStale = 0;          /* ticks served wrongly while connected                */
bool edgeUp    = true;

#define TXT_PROOF(t)    (txt == t && (txtGen >= lastGen || last == t))
#define FREE_PROOF(t)   (cname == t || TXT_PROOF(t))

#define GO_LIVE(t, ok)  proven = (ok); live = t; gen++; last = t; lastGen = gen; \
                        certStored = false; shownDone = false

active proctype Dns() {
  byte n = 0;
  do
  :: n < DNS_STEPS -> atomic { n++;
       if
       :: cname = NOBODY :: cname = 1 :: cname = 2
       :: txt = NOBODY
       :: txt = 1; txtGen = gen
       :: txt = 2; txtGen = gen
       fi }
  :: n >= DNS_STEPS -> break
  od
}

proctype Project(byte t) {
  byte n = 0;
  do
  :: n < 2 -> atomic { n++;                                   /* Verify */
       if
#ifdef BUG_CLAIM
       :: live == NOBODY -> GO_LIVE(t, FREE_PROOF(t))
#else
       :: live == NOBODY && FREE_PROOF(t) -> GO_LIVE(t, true)
#endif
#ifdef BUG_LEFTOVER
       :: live != NOBODY && live != t && txt == t -> GO_LIVE(t, TXT_PROOF(t))
#else
       :: live != NOBODY && live != t && TXT_PROOF(t) -> GO_LIVE(t, true)
#endif
       :: else
       fi }
  :: n < 2 -> atomic { n++;                                   /* Remove */
       if
       :: live == t -> live = NOBODY; gen++; certStored = false
       :: else
       fi }
  :: n >= 2 -> break
  od
}

proctype Worker() {
  byte g = 0;
  atomic { if :: live != NOBODY && !certStored -> g = gen :: else fi };
  if
  :: g == 0
  :: g != 0 ->                     /* order, validation, finalize: anything may happen in the meantime */
     if
     :: skip                       /* killed: nothing stored */
     :: atomic {
          if
#ifdef BUG_NOFENCE
          :: !certStored -> certStored = true; certGen = g
#else
          :: gen == g && live != NOBODY && !certStored -> certStored = true; certGen = g
#endif
          :: else
          fi }
     fi
  fi
}

inline sync() {
  if
  :: live != NOBODY && certStored -> edgeOwner = live
  :: else -> edgeOwner = NOBODY
  fi;
  edgeGen = gen; edgeAge = 0; edgeStale = 0
}

proctype Edge() {
  byte n = 0;
  do
  :: n < 4 -> atomic { n++;
       if
       :: edgeUp -> sync()                                    /* a notification arrived */
       :: edgeUp = !edgeUp; edgeStale = 0                     /* disconnected / reconnected */
       :: edgeAge++;                                          /* a tick passes  */
          if
          :: edgeUp && edgeOwner != NOBODY && edgeOwner != live -> edgeStale++
          :: else
          fi;
#ifndef BUG_PUSHONLY
          if
          :: edgeUp && edgeAge >= POLL -> sync()
          :: else
          fi
#endif
       fi }
  :: n >= 4 -> break
  od
}

proctype Removal() {
  end:
  do
  :: atomic {
#ifdef BUG_NOACK
       (live == NOBODY && gen > 0 && !shownDone)
#else
       (live == NOBODY && gen > 0 && !shownDone && edgeGen == gen)
#endif
       -> shownDone = true }
  od
}

init { atomic { run Project(1); run Project(2); run Worker(); run Worker(); run Edge(); run Removal() } }

#define inv_proof (live == NOBODY || proven)
#define inv_fence (!certStored || certGen == gen)
#define inv_stale (edgeStale < POLL)
#define inv_done  (!shownDone || edgeOwner == NOBODY)

active proctype Monitor() {
  end: atomic { !(inv_proof && inv_fence && inv_stale && inv_done) -> assert(false) }
}
