//! Referral codes.

use mesh::Fault;
use proto::auth::v1::{GetReferralRequest, GetReferralResponse, RedeemReferralRequest, Session};
use tonic::Code;

use crate::harness::{Service, fault, with_bearer};

async fn redeem(auth: &Service, session: &Session, code: &str) -> Result<(), Fault> {
    let request = RedeemReferralRequest { referral_code: code.to_owned() };
    let request = with_bearer(request, &session.access_token);
    auth.players.clone().redeem_referral(request).await.map_err(fault)?;
    Ok(())
}

async fn referral(auth: &Service, session: &Session) -> GetReferralResponse {
    let request = with_bearer(GetReferralRequest {}, &session.access_token);
    auth.players.clone().get_referral(request).await.unwrap().into_inner()
}

#[tokio::test]
async fn a_friends_code_counts_for_the_friend() {
    let auth = Service::start().await;
    let friend = auth.player("wanjiru").await;
    let code = referral(&auth, &friend).await.referral_code;
    for name in ["kamau", "otieno"] {
        let player = auth.player(name).await;
        redeem(&auth, &player, &code).await.unwrap();
        let own = referral(&auth, &player).await;
        assert!(own.redeemed);
        assert_eq!(own.invited, 0);
    }
    let profile = auth.profile(&friend.access_token).await.unwrap().profile.unwrap();
    let expected =
        GetReferralResponse { referral_code: profile.referral_code, redeemed: false, invited: 2 };
    assert_eq!(referral(&auth, &friend).await, expected);
}

#[tokio::test]
async fn look_alikes_and_case_of_a_code_are_normalised() {
    let auth = Service::start().await;
    let friend = auth.player("wanjiru").await;
    let code = referral(&auth, &friend).await.referral_code;
    let typed = code.to_lowercase().replace('0', "o").replace('1', "l");
    redeem(&auth, &auth.player("kamau").await, &format!(" {typed} ")).await.unwrap();
    assert_eq!(referral(&auth, &friend).await.invited, 1);
}

#[tokio::test]
async fn a_player_enters_one_code() {
    let auth = Service::start().await;
    let (first, second) = (auth.player("wanjiru").await, auth.player("kamau").await);
    let player = auth.player("otieno").await;
    redeem(&auth, &player, &referral(&auth, &first).await.referral_code).await.unwrap();
    for friend in [&first, &second] {
        let code = referral(&auth, friend).await.referral_code;
        let fault = redeem(&auth, &player, &code).await.unwrap_err();
        assert_eq!(
            (fault.code, fault.reason.as_ref()),
            (Code::AlreadyExists, "REFERRAL_ALREADY_USED")
        );
    }
    assert_eq!(referral(&auth, &second).await.invited, 0);
}

#[tokio::test]
async fn one_of_two_concurrent_codes_counts() {
    let auth = Service::start().await;
    let (first, second) = (auth.player("wanjiru").await, auth.player("kamau").await);
    let player = auth.player("otieno").await;
    let codes =
        [referral(&auth, &first).await.referral_code, referral(&auth, &second).await.referral_code];
    let (a, b) = tokio::join!(redeem(&auth, &player, &codes[0]), redeem(&auth, &player, &codes[1]));
    let lost: Vec<_> = [a, b].into_iter().filter_map(Result::err).collect();
    assert_eq!(lost.len(), 1);
    assert_eq!(lost[0].reason, "REFERRAL_ALREADY_USED");
    let invited = referral(&auth, &first).await.invited + referral(&auth, &second).await.invited;
    assert_eq!(invited, 1);
}

#[tokio::test]
async fn an_unknown_code_and_the_own_code_are_refused() {
    let auth = Service::start().await;
    let caller = auth.player("wanjiru").await;
    for unknown in ["00000000", "summer-campaign", "' OR 1=1 --", &"0".repeat(5_000)] {
        let fault = redeem(&auth, &caller, unknown).await.unwrap_err();
        assert_eq!((fault.code, fault.reason.as_ref()), (Code::NotFound, "REFERRAL_NOT_FOUND"));
    }
    let own = referral(&auth, &caller).await.referral_code;
    let fault = redeem(&auth, &caller, &own).await.unwrap_err();
    assert_eq!((fault.code, fault.reason.as_ref()), (Code::FailedPrecondition, "OWN_REFERRAL"));
    let fault = redeem(&auth, &caller, " ").await.unwrap_err();
    let expected = ("referral_code", "Please enter a referral code.");
    assert_eq!((fault.code, fault.wrong_fields()), (Code::InvalidArgument, vec![expected]));
    let guest = Session::default();
    assert_eq!(redeem(&auth, &guest, &own).await.unwrap_err().code, Code::Unauthenticated);
}
