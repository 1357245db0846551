//! Changes of a player's own profile.

use proto::auth::v1::UpdateProfileRequest;
use tonic::Code;

use crate::harness::Service;

/// A change of one field.
fn change(field: &str, text: &str) -> UpdateProfileRequest {
    let mut change = UpdateProfileRequest::default();
    let place = match field {
        "name" => &mut change.name,
        "username" => &mut change.username,
        "email" => &mut change.email,
        "dob" => &mut change.dob,
        "gender" => &mut change.gender,
        "phone" => &mut change.phone,
        "currency_id" => &mut change.currency_id,
        "country_id" => &mut change.country_id,
        other => panic!("no field {other}"),
    };
    *place = Some(text.to_owned());
    change
}

#[tokio::test]
async fn a_new_player_completes_the_profile() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    let wanted = UpdateProfileRequest {
        name: Some(" Wanjirũ wa Kamau ".to_owned()),
        username: Some("Wanjiru_1".to_owned()),
        email: Some("Shiru@Example.com".to_owned()),
        dob: Some("1999-02-28".to_owned()),
        gender: Some("FEMALE".to_owned()),
        phone: Some("0712 345 678".to_owned()),
        currency_id: Some("KES".to_owned()),
        country_id: Some("ke".to_owned()),
        ..UpdateProfileRequest::default()
    };
    let changed = auth.update(&session, wanted).await.unwrap();
    assert_eq!(changed.name.as_deref(), Some("Wanjirũ wa Kamau"));
    assert_eq!(changed.username.as_deref(), Some("wanjiru_1"));
    assert_eq!(changed.email.as_deref(), Some("shiru@example.com"));
    assert_eq!(changed.dob.as_deref(), Some("1999-02-28"));
    assert_eq!(changed.gender.as_deref(), Some("FEMALE"));
    assert_eq!(changed.phone.as_deref(), Some("+254712345678"));
    assert_eq!(changed.currency_id.as_deref(), Some("KES"));
    assert_eq!(changed.country_id.as_deref(), Some("KE"));
    let read = auth.profile(&session.access_token).await.unwrap().profile.unwrap();
    assert_eq!(read, changed);
}

#[tokio::test]
async fn contact_data_are_not_credentials() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    auth.update(&session, change("email", "shiru@example.com")).await.unwrap();
    let password = crate::harness::PASSWORD;
    assert!(auth.sign_in("wanjiru@example.com", password).await.is_ok());
    assert!(auth.sign_in("shiru@example.com", password).await.is_err());
}

#[tokio::test]
async fn each_invalid_field_has_its_text() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    for (field, typed, text) in [
        ("name", "", "Please enter your name."),
        ("username", "", "Please enter a username."),
        ("username", "no spaces", "A username has 3 to 20 letters, digits, dots or underscores."),
        ("email", "", "Please enter your email."),
        ("email", "shiru", "Please enter a valid email."),
        ("dob", "", "Please enter your date of birth."),
        ("dob", "2008-11-21", "You must be 18 or older to use PlayOn."),
        ("gender", "", "Please enter your gender."),
        ("gender", "NONE", "Allowed gender entries: MALE,FEMALE,OTHER"),
        ("phone", "", "Please enter your phone number."),
        ("phone", "+1 555 0100", "Please enter a valid phone number."),
        ("currency_id", "ZZZ", "Please choose a currency from the list."),
        ("country_id", "XX", "Please choose a country from the list."),
        ("country_id", "", "Please choose a country from the list."),
        ("currency_id", "KE\0", "Please choose a currency from the list."),
        ("country_id", "\0", "Please choose a country from the list."),
    ] {
        let fault = auth.update(&session, change(field, typed)).await.unwrap_err();
        assert_eq!(fault.code, Code::InvalidArgument, "{field} {typed:?}");
        assert_eq!(fault.message, text);
        assert_eq!(fault.wrong_fields(), [(field, text)]);
    }
    let nothing = auth.update(&session, UpdateProfileRequest::default()).await.unwrap_err();
    assert_eq!(nothing.code, Code::InvalidArgument);
    assert_eq!(nothing.message, "There is nothing to change.");
    assert_eq!(nothing.fields, []);
}

#[tokio::test]
async fn one_invalid_field_changes_nothing() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    let mixed = UpdateProfileRequest {
        name: Some("Wanjirũ".to_owned()),
        gender: Some("NONE".to_owned()),
        currency_id: Some("ZZZ".to_owned()),
        ..UpdateProfileRequest::default()
    };
    let fault = auth.update(&session, mixed).await.unwrap_err();
    let fields: Vec<_> = fault.fields.iter().map(|field| &*field.name).collect();
    assert_eq!(fields, ["gender", "currency_id"]);
    let profile = auth.profile(&session.access_token).await.unwrap().profile.unwrap();
    assert_eq!(profile.name, None);
}

#[tokio::test]
async fn fields_that_are_not_sent_stay() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    auth.update(&session, change("name", "Wanjirũ")).await.unwrap();
    let profile = auth.update(&session, change("gender", "OTHER")).await.unwrap();
    assert_eq!(profile.name.as_deref(), Some("Wanjirũ"));
    assert_eq!(profile.email.as_deref(), Some("wanjiru@example.com"));
}

#[tokio::test]
async fn another_players_profile_is_refused() {
    let auth = Service::start().await;
    let victim = auth.player("wanjiru").await;
    let other = auth.player("kamau").await;
    for uid in [victim.uid.clone(), String::new(), "1 OR 1=1".to_owned()] {
        let request = UpdateProfileRequest { uid, ..change("name", "Owned") };
        let fault = auth.update_any(&other.access_token, request).await.unwrap_err();
        assert_eq!(fault.code, Code::PermissionDenied);
    }
    let request = UpdateProfileRequest { uid: victim.uid.clone(), ..change("name", "Owned") };
    let fault = auth.update_any("", request).await.unwrap_err();
    assert_eq!(fault.code, Code::Unauthenticated);
    let profile = auth.profile(&victim.access_token).await.unwrap().profile.unwrap();
    assert_eq!(profile.name, None);
}

/// A field number that the contract does not have, and the numbers under which
/// a profile is *read* (11 referral code, 12 created at): both are
/// ignored.
#[tokio::test]
async fn fields_that_are_not_editable_are_ignored() {
    use prost::Message as _;

    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    let before = auth.profile(&session.access_token).await.unwrap().profile.unwrap();
    let own = UpdateProfileRequest { uid: session.uid.clone(), ..change("name", "Wanjirũ") };
    let mut bytes = own.encode_to_vec();
    bytes.extend(
        proto::auth::v1::Profile {
            profile_pic: None,
            referral_code: "00000000".to_owned(),
            created_at: Some(proto::timestamp(time::OffsetDateTime::UNIX_EPOCH)),
            ..proto::auth::v1::Profile::default()
        }
        .encode_to_vec(),
    );
    let smuggled = UpdateProfileRequest::decode(bytes.as_slice()).unwrap();
    let after = auth.update_any(&session.access_token, smuggled).await.unwrap();
    assert_eq!(after.name.as_deref(), Some("Wanjirũ"));
    assert_eq!(after.referral_code, before.referral_code);
    assert_eq!(after.created_at, before.created_at);
    assert_eq!(after.uid, before.uid);
}

#[tokio::test]
async fn a_username_is_unique_without_regard_to_case() {
    let auth = Service::start().await;
    let first = auth.player("wanjiru").await;
    let second = auth.player("kamau").await;
    auth.update(&first, change("username", "simba")).await.unwrap();
    let fault = auth.update(&second, change("username", "SIMBA")).await.unwrap_err();
    assert_eq!((fault.code, fault.reason.as_ref()), (Code::AlreadyExists, "USERNAME_TAKEN"));
    assert_eq!(fault.message, "That username is already taken.");
    let kept = auth.update(&first, change("username", "Simba")).await;
    assert!(kept.is_ok(), "one's own is not taken");
}

#[tokio::test]
async fn one_of_two_concurrent_claims_gets_a_username() {
    let auth = Service::start().await;
    let first = auth.player("wanjiru").await;
    let second = auth.player("kamau").await;
    let (a, b) = tokio::join!(
        auth.update(&first, change("username", "simba")),
        auth.update(&second, change("username", "simba")),
    );
    let (won, lost): (Vec<_>, Vec<_>) = [a, b].into_iter().partition(Result::is_ok);
    assert_eq!((won.len(), lost.len()), (1, 1));
    assert_eq!(lost[0].as_ref().unwrap_err().reason, "USERNAME_TAKEN");
}
